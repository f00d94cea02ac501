/** @module The tables that statements read and write, in the SQL of each database. */

import type { ColumnType } from '@engine/fixtures'
import { mysqlType, sqliteType } from '@engine/fixtures'
import { type SampleType, sampleTypes } from './sample-values.ts'

export type SqlKind = 'postgres' | 'mysql' | 'sqlite'

interface Column {
  readonly name: string
  readonly type: string
  /** Constraints. */
  readonly rest?: string
}

interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** For clauses of statements: items belong to groups, and to an item above them. */
const groups: Table = {
  name: 'groups',
  columns: [
    { name: 'id', type: 'int4', rest: 'primary key' },
    { name: 'title', type: 'text' },
  ],
  rows: [
    ['1', 'tools'],
    ['2', 'toys'],
    ['3', 'none'],
  ],
}

/** Every column has a default. */
const notes: Table = {
  name: 'notes',
  columns: [
    { name: 'code', type: 'varchar(20)', rest: `default 'none' primary key` },
    { name: 'body', type: 'varchar(20)', rest: `default 'empty'` },
  ],
  rows: [['a', 'first']],
}

const items: Table = {
  name: 'items',
  columns: [
    { name: 'id', type: 'int4', rest: 'primary key' },
    { name: 'group_id', type: 'int4' },
    { name: 'parent_id', type: 'int4' },
    { name: 'name', type: 'varchar(40)', rest: 'unique' },
    { name: 'price', type: 'numeric(10,2)' },
    { name: 'sold', type: 'bool' },
    { name: 'day', type: 'date' },
  ],
  rows: [
    ['1', '1', null, 'hammer', '12.50', 'true', '2024-01-01'],
    ['2', '1', '1', 'nail', '0.05', 'false', '2024-01-02'],
    ['3', '2', null, 'ball', '5.00', 'true', '2024-01-02'],
    ['4', '2', '3', 'Ball pump', null, null, null],
    ['5', null, '4', 'needle', '1.25', 'false', '2024-02-01'],
  ],
}

/** Statements that create both tables and `samples`, and insert their rows. */
export function createStatements(kind: SqlKind): readonly string[] {
  const tables = [groups, items, notes, samplesOf(kind)].flatMap((table) => [
    `create table ${table.name} (${table.columns.map((each) => columnSql(kind, each)).join(', ')})`,
    insertSql(kind, table),
  ])
  return [...tables, ...indexStatements(kind)]
}

/** Unique indexes that are no keys, for targets of ON CONFLICT. MySQL and MariaDB take keys only. */
function indexStatements(kind: SqlKind): readonly string[] {
  if (kind === 'mysql') return []
  const common = [
    'create unique index groups_title on groups (lower(title))',
    'create unique index items_unsold on items (day) where sold is null',
  ]
  if (kind === 'sqlite') return common
  return [
    ...common,
    'create unique index items_name_c on items (name collate "C")',
    'create unique index items_pattern on items (name varchar_pattern_ops)',
  ]
}

/** Statements that restore the rows of the tables that statements write. */
export function restoreStatements(kind: SqlKind): readonly string[] {
  return [groups, items, notes].flatMap((table) => [
    `delete from ${table.name}`,
    insertSql(kind, table),
  ])
}

/** Names of the tables that statements write. */
export const writtenTables: readonly string[] = ['main.groups', 'main.items', 'main.notes']

function samplesOf(kind: SqlKind): Table {
  const types = sampleTypes.filter(({ portable }) => kind === 'postgres' || portable === undefined)
  const rows = [0, 1, 2, 3, 4, 5].map((row) => [
    `${row + 1}`,
    ...types.map(({ values }) => values[row] ?? null),
  ])
  const columns = types.map((type) => ({ name: `c_${type.name}`, type: declared(type) }))
  return {
    name: 'samples',
    columns: [{ name: 'id', type: 'int4', rest: 'primary key' }, ...columns],
    rows,
  }
}

function declared({ name, declared: given = name }: SampleType): string {
  return given
}

function columnSql(kind: SqlKind, { name, type, rest }: Column): string {
  // Otherwise a TIMESTAMP of MySQL would set itself.
  const nullable = kind === 'mysql' ? 'null' : ''
  return `${name} ${typeSql(kind, type)} ${rest ?? nullable}`
}

function typeSql(kind: SqlKind, type: string): string {
  if (kind === 'postgres') return type
  return kind === 'sqlite' ? sqliteType(type as ColumnType) : mysqlType(type as ColumnType)
}

function insertSql(kind: SqlKind, { name, columns, rows }: Table): string {
  const lines = rows.map(
    (row) =>
      `(${row.map((value, index) => valueSql(kind, columns[index]?.type ?? '', value)).join(', ')})`,
  )
  return `insert into ${name} values ${lines.join(', ')}`
}

function valueSql(kind: SqlKind, type: string, value: string | null): string {
  if (value === null) return 'null'
  if (kind !== 'postgres') {
    if (type === 'bool') return value === 'true' ? '1' : '0'
    if (type === 'bytea') return `x'${value.slice(2)}'`
    if (/^(?:int|float)/.test(type)) return value
    if (kind === 'mysql' && type === 'timestamptz') return `'${value.replace('+00', '')}'`
  }
  return `'${value.replaceAll("'", "''")}'`
}
