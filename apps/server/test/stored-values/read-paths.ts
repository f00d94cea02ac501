/** @module Every path on which a stored value gets to a client. */
import type { StoredColumn } from './written.ts'

/** How the cells of an answer are spelled. */
export type CellSpelling = 'json' | 'text' | 'binary'

export interface ReadPath {
  readonly name: string
  readonly spelling: CellSpelling
  /** The cells of a row, after the id. */
  readonly sql: (columns: readonly StoredColumn[]) => string
  /** The type of its cells, where it is not the column's. */
  readonly type?: string
}

const list = (columns: readonly StoredColumn[], cell: (name: string) => string): string =>
  columns.map(({ name }) => cell(name)).join(', ')

const select = (columns: readonly StoredColumn[]): string =>
  `select id, ${list(columns, (name) => name)} from main.v order by id`

export const readPaths: readonly ReadPath[] = [
  { name: 'SELECT', spelling: 'json', sql: select },
  { name: 'SELECT by the wire', spelling: 'text', sql: select },
  { name: 'SELECT by the wire in binary', spelling: 'binary', sql: select },
  {
    name: 'a cast to text',
    spelling: 'text',
    type: 'text',
    sql: (columns) =>
      `select id, ${list(columns, (name) => `${name}::text`)} from main.v order by id`,
  },
  {
    name: 'to_jsonb',
    spelling: 'text',
    type: 'jsonb',
    sql: (columns) =>
      `select id, ${list(columns, (name) => `to_jsonb(${name})`)} from main.v order by id`,
  },
  {
    name: 'json_agg',
    spelling: 'text',
    type: 'json',
    sql: (columns) =>
      `select id, ${list(columns, (name) => `json_agg(${name})`)} from main.v group by id order by id`,
  },
  {
    name: 'json_build_object',
    spelling: 'text',
    type: 'json',
    sql: (columns) =>
      `select id, ${list(columns, (name) => `json_build_object('k', ${name})`)} from main.v order by id`,
  },
  {
    name: 'UNION ALL in a derived table',
    spelling: 'json',
    sql: (columns) =>
      `select id, ${list(columns, (name) => name)} from (select id, ${list(columns, (name) => name)} from main.v union all select id, ${list(columns, (name) => name)} from main.v where id < 0) q order by id`,
  },
  {
    name: 'DELETE … RETURNING',
    spelling: 'json',
    sql: (columns) => `delete from main.v returning id, ${list(columns, (name) => name)}`,
  },
]
