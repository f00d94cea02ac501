/** The direction of a value: from the client, or to the client. */
export type SchemaSide = 'input' | 'output'
