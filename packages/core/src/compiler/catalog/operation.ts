export type Operation = 'select' | 'insert' | 'update' | 'delete'
