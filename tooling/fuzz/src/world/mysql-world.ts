import { type ColumnType, mysqlType } from '@engine/fixtures'
import { mysqlDdl, mysqlVersion, vendorOf } from '@engine/test-databases'
import { type Connection, createConnection } from 'mysql2/promise'
import { quoted } from '../grammar/literals.ts'
import { shapeOf } from './shape.ts'
import {
  type Cell,
  ownColumns,
  rowsOf,
  type World,
  type WorldColumn,
  type WorldTable,
} from './world.ts'

/** Puts a portable world into an empty MariaDB or MySQL database. */
export async function loadMysqlWorld(url: string, world: World): Promise<void> {
  const vendor = vendorOf(await mysqlVersion(url))
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' })
  try {
    await connection.query(
      "set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES'",
    )
    for (const table of world.tables) await connection.query(mysqlDdl(vendor, createTable(table)))
    for (const table of world.tables) await insertMysqlRows(connection, world, table)
    for (const table of world.tables) await createExtras(connection, table)
  } finally {
    await connection.end()
  }
}

/** Puts a table's rows into it. */
export async function insertMysqlRows(
  connection: Connection,
  world: World,
  table: WorldTable,
): Promise<void> {
  const own = ownColumns(table)
  const names = own.map(({ name }) => `\`${name}\``).join(', ')
  const places = own.map(() => '?').join(', ')
  for (const row of rowsOf(world, table.name)) {
    const values = own.map((column) => bound(row[table.columns.indexOf(column)] ?? null, column))
    await connection.execute(`insert into ${table.name} (${names}) values (${places})`, values)
  }
}

/** While this variable of the session is set the triggers do nothing: our own rows are stored unchanged. */
export const triggersOff = '@fuzz_triggers_off'

/** Indexes that the rows violate are left out; MariaDB has no partial ones. */
async function createExtras(connection: Connection, table: WorldTable): Promise<void> {
  const { indexes, triggers } = shapeOf(table)
  for (const { column } of indexes.filter(({ form }) => form === 'nullable')) {
    const isText = table.columns.some(({ name, type }) => name === column && type === 'text')
    const part = `\`${column}\`${isText ? '(20)' : ''}`
    try {
      await connection.query(`create unique index ${column}_odd on ${table.name} (${part})`)
    } catch (error) {
      if (!String(error).includes('Duplicate')) throw error
    }
  }
  for (const [i, { when, does, column, value }] of triggers.entries()) {
    const body =
      does === 'sets'
        ? `set new.\`${column}\` = '${value}'`
        : `if new.\`${column}\` = '${value}' then signal sqlstate '45000' set message_text = 'no'; end if`
    for (const event of ['insert', 'update']) {
      await connection.query(
        `create trigger ${table.name}_${i}_${event} ${when} ${event} on ${table.name} for each row begin if ${triggersOff} is null then ${body}; end if; end`,
      )
    }
  }
}

function createTable(table: WorldTable): string {
  const { key } = shapeOf(table)
  const parts = [
    ...table.columns.map((column) => columnDefinition(column, table.unique === column.name)),
    ...(key.length === 0 ? [] : [`primary key (${key.join(', ')})`]),
    ...(table.unique === undefined ? [] : [`unique (\`${table.unique}\`)`]),
    ...table.foreignKeys.map(
      ({ column, table: target, onDelete }) =>
        `foreign key (${column}) references ${target} (id)${onDelete === undefined ? '' : ` on delete ${onDelete}`}`,
    ),
  ]
  return `create table ${table.name} (${parts.join(', ')})`
}

function columnDefinition(column: WorldColumn, isInKey: boolean): string {
  const { generated } = column
  if (generated !== undefined) {
    return `\`${column.name}\` int as (coalesce(${generated.column}, 0) % ${generated.modulo}) stored`
  }
  const collation = isInKey && column.type === 'text' ? ' collate utf8mb4_nopad_bin' : ''
  const text = column.default === undefined ? '' : ` default (${defaultText(column)})`
  const type =
    column.list === undefined
      ? mysqlType(column.stored as ColumnType, isInKey)
      : `enum (${column.list.map(quoted).join(', ')}) collate utf8mb4_nopad_bin`
  return `\`${column.name}\` ${type}${collation} ${column.isNullable ? 'null' : 'not null'}${text}`
}

function defaultText({ default: text = '', type }: WorldColumn): string {
  return type === 'text' ? `'${text.replaceAll("'", "''")}'` : text
}

/** Numbers as text, so that none loses digits. */
function bound(cell: Cell, column: WorldColumn | undefined): string | number | Buffer | null {
  if (cell === null) return null
  switch (column?.type) {
    case 'bool':
      return cell === 'true' ? '1' : '0'
    case 'float8':
      return Number(cell)
    case 'bytea':
      return Buffer.from(cell.slice(2), 'hex')
    case 'timestamptz':
      return cell.replace(/\+00$/, '')
    default:
      return cell
  }
}
