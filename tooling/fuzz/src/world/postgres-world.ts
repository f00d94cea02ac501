import { quoted } from '../grammar/literals.ts'
import type { Cell, Row, World, WorldColumn, WorldTable } from './world.ts'
import { rowsOf } from './world.ts'

/** Statements that put a world into a schema of a PostgreSQL database, in the place of what was there. */
export function postgresWorld(world: World, schema: string): string {
  return [
    `drop schema if exists ${schema} cascade; create schema ${schema};`,
    ...world.tables.map((table) => createTable(table, schema)),
    postgresRows(world, schema),
    ...world.tables.map(({ name }) => `analyze ${schema}.${name};`),
  ].join('\n')
}

/** Statements that put rows into empty tables. */
export function postgresRows(world: World, schema: string): string {
  return world.tables
    .map((table) => insertRows(table, rowsOf(world, table.name), schema))
    .join('\n')
}

function createTable(table: WorldTable, schema: string): string {
  const parts = [
    ...table.columns.map(columnDefinition),
    'primary key (id)',
    ...(table.unique === undefined ? [] : [`unique (${table.unique})`]),
    ...table.foreignKeys.map(
      ({ column, table: target, onDelete }) =>
        `foreign key (${column}) references ${schema}.${target} (id)${onDelete === undefined ? '' : ` on delete ${onDelete}`}`,
    ),
  ]
  return `create table ${schema}.${table.name} (${parts.join(', ')});`
}

function columnDefinition(column: WorldColumn): string {
  const text = column.default === undefined ? '' : ` default ${constant(column.default, column)}`
  return `${column.name} ${column.stored}${column.isNullable ? '' : ' not null'}${text}`
}

function insertRows(table: WorldTable, rows: readonly Row[], schema: string): string {
  if (rows.length === 0) return ''
  const values = rows.map(
    (row) => `(${row.map((cell, i) => constant(cell, table.columns[i])).join(', ')})`,
  )
  return `insert into ${schema}.${table.name} values ${values.join(', ')};`
}

function constant(cell: Cell, column: WorldColumn | undefined): string {
  return cell === null ? 'null' : `${quoted(cell)}::${column?.stored ?? 'text'}`
}
