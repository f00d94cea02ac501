import Database from 'better-sqlite3'
import { insertSqliteRows, loadSqliteWorld, withoutTriggers } from '../world/sqlite-world.ts'
import type { World } from '../world/world.ts'
import { cellOf, type Store, sortedRows } from './store.ts'

/** Makes a file with a world in it. */
export function openSqliteStore(path: string, world: World): Store {
  const database = new Database(path)
  database.pragma('busy_timeout = 10000')
  loadSqliteWorld(database, world)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = OFF')
  const looks = world.tables.map((table) => {
    const names = table.columns.map(({ name }) => name).join(', ')
    return {
      table,
      look: database.prepare(`select ${names} from ${table.name}`).raw().safeIntegers(),
    }
  })
  return {
    contents: async () =>
      new Map(
        looks.map(({ table, look }) => {
          const rows = look.all() as readonly (readonly unknown[])[]
          const cells = rows.map((row) => table.columns.map((column, i) => cellOf(row[i], column)))
          return [table.name, sortedRows(cells)]
        }),
      ),
    restore: async () => {
      database.pragma('foreign_keys = OFF')
      database.transaction(() => {
        withoutTriggers(database, () => {
          for (const { name } of world.tables) database.exec(`delete from ${name}`)
          for (const table of world.tables) insertSqliteRows(database, world, table)
        })
      })()
    },
    close: async () => void database.close(),
  }
}
