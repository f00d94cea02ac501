import { createConnection, type RowDataPacket } from 'mysql2/promise'
import { insertMysqlRows, loadMysqlWorld, triggersOff } from '../world/mysql-world.ts'
import type { World, WorldColumn } from '../world/world.ts'
import { cellOf, type Store, sortedRows } from './store.ts'

/** Loads a world into an empty database. */
export async function openMysqlStore(url: string, world: World): Promise<Store> {
  await loadMysqlWorld(url, world)
  const connection = await createConnection({ uri: url, charset: 'utf8mb4' })
  await connection.query(
    `set ${triggersOff} = 1, time_zone = '+00:00', foreign_key_checks = 0, sql_mode = 'STRICT_ALL_TABLES,NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES'`,
  )
  return {
    contents: async () => {
      const contents = new Map()
      for (const { name, columns } of world.tables) {
        const cells = columns.map(shown).join(', ')
        const [rows] = await connection.query<RowDataPacket[][]>({
          sql: `select ${cells} from ${name}`,
          rowsAsArray: true,
        })
        contents.set(
          name,
          sortedRows(rows.map((row) => columns.map((column, i) => cellOf(row[i], column)))),
        )
      }
      return contents
    },
    restore: async () => {
      await connection.beginTransaction()
      for (const { name } of world.tables) await connection.query(`delete from ${name}`)
      for (const table of world.tables) await insertMysqlRows(connection, world, table)
      await connection.commit()
    },
    close: () => connection.end(),
  }
}

/** Every type except bytes as text: a driver would convert dates and JSON. */
function shown({ name, type }: WorldColumn): string {
  return type === 'bytea' ? `\`${name}\`` : `cast(\`${name}\` as char)`
}
