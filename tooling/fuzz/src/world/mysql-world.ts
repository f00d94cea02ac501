import { type ColumnType, mysqlType } from '@engine/fixtures'
import { createConnection } from 'mysql2/promise'
import { type Cell, rowsOf, type World, type WorldColumn, type WorldTable } from './world.ts'

/** Puts a portable world into an empty MariaDB or MySQL database. */
export async function loadMysqlWorld(url: string, world: World): Promise<void> {
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' })
  try {
    await connection.query(
      "set time_zone = '+00:00', sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES'",
    )
    for (const table of world.tables) await connection.query(createTable(table))
    for (const table of world.tables) {
      const places = table.columns.map(() => '?').join(', ')
      for (const row of rowsOf(world, table.name)) {
        const values = row.map((cell, i) => bound(cell, table.columns[i]))
        await connection.execute(`insert into ${table.name} values (${places})`, values)
      }
    }
  } finally {
    await connection.end()
  }
}

function createTable(table: WorldTable): string {
  const parts = [
    ...table.columns.map((column) => columnDefinition(column, table.unique === column.name)),
    'primary key (id)',
    ...(table.unique === undefined ? [] : [`unique (\`${table.unique}\`)`]),
    ...table.foreignKeys.map(
      ({ column, table: target, onDelete }) =>
        `foreign key (${column}) references ${target} (id)${onDelete === undefined ? '' : ` on delete ${onDelete}`}`,
    ),
  ]
  return `create table ${table.name} (${parts.join(', ')})`
}

function columnDefinition(column: WorldColumn, isInKey: boolean): string {
  const collation = isInKey && column.type === 'text' ? ' collate utf8mb4_nopad_bin' : ''
  const text = column.default === undefined ? '' : ` default (${defaultText(column)})`
  const type = mysqlType(column.stored as ColumnType, isInKey)
  return `\`${column.name}\` ${type}${collation} ${column.isNullable ? 'null' : 'not null'}${text}`
}

function defaultText({ default: text = '', type }: WorldColumn): string {
  return type === 'text' ? `'${text.replaceAll("'", "''")}'` : text
}

/** Numbers as text, so that none loses digits on its way. */
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
