import { type ColumnType, sqliteType } from '@engine/fixtures'
import type Database from 'better-sqlite3'
import { type Cell, rowsOf, type World, type WorldColumn, type WorldTable } from './world.ts'

/** Puts a portable world into a SQLite database, in the place of what was there. */
export function loadSqliteWorld(database: Database.Database, world: World): void {
  database.pragma('foreign_keys = OFF')
  database.transaction(() => {
    for (const name of userTables(database)) database.exec(`drop table "${name}"`)
    for (const table of world.tables) database.exec(createTable(table))
    for (const table of world.tables) insertRows(database, world, table)
  })()
}

function userTables(database: Database.Database): readonly string[] {
  const rows = database
    .prepare<[], { readonly name: string }>("select name from sqlite_master where type = 'table'")
    .all()
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
}

function createTable(table: WorldTable): string {
  const parts = [
    ...table.columns.map(columnDefinition),
    'primary key (id)',
    ...(table.unique === undefined ? [] : [`unique (${table.unique})`]),
    ...table.foreignKeys.map(
      ({ column, table: target, onDelete }) =>
        `foreign key (${column}) references ${target} (id)${onDelete === undefined ? '' : ` on delete ${onDelete}`}`,
    ),
  ]
  return `create table ${table.name} (${parts.join(', ')})`
}

function columnDefinition(column: WorldColumn): string {
  const text = column.default === undefined ? '' : ` default ${defaultText(column.default, column)}`
  return `${column.name} ${sqliteType(column.stored as ColumnType)}${column.isNullable ? '' : ' not null'}${text}`
}

function defaultText(text: string, { type }: WorldColumn): string {
  if (type === 'bool') return text === 'true' ? '1' : '0'
  return type === 'text' ? `'${text.replaceAll("'", "''")}'` : text
}

function insertRows(database: Database.Database, world: World, table: WorldTable): void {
  const places = table.columns.map(() => '?').join(', ')
  const insert = database.prepare(`insert into ${table.name} values (${places})`)
  for (const row of rowsOf(world, table.name)) {
    insert.run(row.map((cell, i) => bound(cell, table.columns[i])))
  }
}

/** What is bound for a cell: integers as bigint, so that they are not stored as REAL. */
function bound(
  cell: Cell,
  column: WorldColumn | undefined,
): bigint | number | string | Buffer | null {
  if (cell === null) return null
  switch (column?.type) {
    case 'bool':
      return cell === 'true' ? 1n : 0n
    case 'int2':
    case 'int4':
    case 'int8':
      return BigInt(cell)
    case 'float8':
      return Number(cell)
    case 'bytea':
      return Buffer.from(cell.slice(2), 'hex')
    default:
      return cell
  }
}
