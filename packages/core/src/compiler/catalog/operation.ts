/** What a statement does with a table. */
export type Operation = 'select' | 'insert' | 'update' | 'delete'
