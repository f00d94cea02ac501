/** What a statement does with a table. */
export type Operation = 'select' | WriteOperation

export type WriteOperation = 'insert' | 'update' | 'delete'
