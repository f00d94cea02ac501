/** What a client sends, or what it is sent. */
export type SchemaSide = 'input' | 'output'
