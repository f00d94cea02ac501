import { type ColumnType, sqliteType } from '@engine/fixtures'
import type Database from 'better-sqlite3'
import { listCheck } from './postgres-world.ts'
import { shapeOf } from './shape.ts'
import {
  type Cell,
  ownColumns,
  rowsOf,
  type World,
  type WorldColumn,
  type WorldTable,
} from './world.ts'

/** Loads a portable world into a SQLite database, and replaces its content. */
export function loadSqliteWorld(database: Database.Database, world: World): void {
  database.pragma('foreign_keys = OFF')
  database.transaction(() => {
    for (const name of userTables(database)) database.exec(`drop table "${name}"`)
    for (const table of world.tables) database.exec(createTable(table))
    for (const table of world.tables) insertSqliteRows(database, world, table)
    database.exec(`create table ${switchName} (is_off int)`)
    for (const table of world.tables) {
      createIndexes(database, table)
      createTriggers(database, table)
    }
  })()
}

function userTables(database: Database.Database): readonly string[] {
  const rows = database
    .prepare<[], { readonly name: string }>("select name from sqlite_master where type = 'table'")
    .all()
  return rows.map(({ name }) => name).filter((name) => !name.startsWith('sqlite_'))
}

function createTable(table: WorldTable): string {
  const { key, isWithoutRowid } = shapeOf(table)
  const parts = [
    ...table.columns.map(columnDefinition),
    ...(key.length === 0 ? [] : [`primary key (${key.join(', ')})`]),
    ...(table.unique === undefined ? [] : [`unique (${table.unique})`]),
    ...table.foreignKeys.map(
      ({ column, table: target, onDelete }) =>
        `foreign key (${column}) references ${target} (id)${onDelete === undefined ? '' : ` on delete ${onDelete}`}`,
    ),
  ]
  return `create table ${table.name} (${parts.join(', ')})${isWithoutRowid ? ' without rowid' : ''}`
}

/** Indexes that the rows violate are left out. */
function createIndexes(database: Database.Database, table: WorldTable): void {
  for (const [i, { column, form }] of shapeOf(table).indexes.entries()) {
    const collation =
      form === 'folded' ? ' collate nocase' : form === 'operators' ? ' collate rtrim' : ''
    const where = form === 'partial' ? ' where k > 1' : ''
    try {
      database.exec(
        `create unique index ${table.name}_${i} on ${table.name} (${column}${collation})${where}`,
      )
    } catch (error) {
      if (!String(error).includes('UNIQUE')) throw error
    }
  }
}

/** While this table has a row the triggers do nothing: our own rows are stored unchanged. */
const switchName = 'fuzz_triggers_off'

/** Runs a function that writes our own rows. */
export function withoutTriggers(database: Database.Database, write: () => void): void {
  database.exec(`insert into ${switchName} values (1)`)
  write()
  database.exec(`delete from ${switchName}`)
}

/** SQLite's triggers cannot change a row before it is stored: they change it afterwards. */
function createTriggers(database: Database.Database, table: WorldTable): void {
  const { triggers, isWithoutRowid, key } = shapeOf(table)
  const row = isWithoutRowid
    ? key.map((name) => `${name} = new.${name}`).join(' and ')
    : 'rowid = new.rowid'
  for (const [i, { when, does, column, value }] of triggers.entries()) {
    const text = `'${value}'`
    const body =
      does === 'sets'
        ? `update ${table.name} set ${column} = ${text} where ${row} and ${column} is not ${text};`
        : `select raise(abort, 'no') where new.${column} = ${text};`
    for (const event of ['insert', 'update']) {
      const moment = does === 'sets' ? 'after' : when
      database.exec(
        `create trigger ${table.name}_${i}_${event} ${moment} ${event} on ${table.name} when not exists (select 1 from ${switchName}) begin ${body} end`,
      )
    }
  }
}

function columnDefinition(column: WorldColumn): string {
  const { name, stored, generated, foldedOn, isNullable } = column
  const type = sqliteType(stored as ColumnType)
  if (generated !== undefined) {
    return `${name} ${type} generated always as (coalesce(${generated.column}, 0) % ${generated.modulo}) stored`
  }
  const text = column.default === undefined ? '' : ` default ${defaultText(column.default, column)}`
  return `${name} ${type}${foldedOn === 'sqlite' ? ' collate nocase' : ''}${isNullable ? '' : ' not null'}${text}${listCheck(column)}`
}

function defaultText(text: string, { type }: WorldColumn): string {
  if (type === 'bool') return text === 'true' ? '1' : '0'
  return type === 'text' ? `'${text.replaceAll("'", "''")}'` : text
}

/** Puts a table's rows into it. */
export function insertSqliteRows(
  database: Database.Database,
  world: World,
  table: WorldTable,
): void {
  const own = ownColumns(table)
  const names = own.map(({ name }) => name).join(', ')
  const places = own.map(() => '?').join(', ')
  const insert = database.prepare(`insert into ${table.name} (${names}) values (${places})`)
  for (const row of rowsOf(world, table.name)) {
    insert.run(own.map((column) => bound(row[table.columns.indexOf(column)] ?? null, column)))
  }
}

/** The bound value of a cell: integers as bigint, so that they are not stored as REAL. */
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
