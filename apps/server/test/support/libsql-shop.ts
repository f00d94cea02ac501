import { type LibsqlServer, startLibsql } from '@engine/test-databases'
import { type Client, createClient, type InStatement } from '@libsql/client/web'
import Database from 'better-sqlite3'
import { createSqliteShop } from './shop.ts'

/** The shop on a libSQL server of its own. */
export interface LibsqlShop {
  readonly url: string
  reset(): Promise<void>
  stop(): Promise<void>
}

export async function createLibsqlShop(): Promise<LibsqlShop> {
  const server: LibsqlServer = await startLibsql()
  const client = createClient({ url: server.url })
  const file = createSqliteShop()
  const source = new Database(file.path, { readonly: true }).defaultSafeIntegers(true)
  try {
    await client.batch(schemaOf(source), 'write')
    const rows = rowsOf(source)
    await insertAll(client, rows)
    return {
      url: server.url,
      reset: async () => {
        const tables = [...new Set(rows.map(({ table }) => table))].toReversed()
        await client.migrate(tables.map((table) => ({ sql: `delete from "${table}"`, args: [] })))
        await insertAll(client, rows)
      },
      stop: async () => {
        client.close()
        await server.stop()
      },
    }
  } finally {
    source.close()
    file.remove()
  }
}

interface CopiedRows {
  readonly table: string
  readonly statements: readonly InStatement[]
}

function schemaOf(source: Database.Database): InStatement[] {
  return source
    .prepare<[], string>(
      `select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'
      order by type <> 'table', type <> 'index', rowid`,
    )
    .pluck()
    .all()
    .map((sql) => ({ sql, args: [] }))
}

function rowsOf(source: Database.Database): readonly CopiedRows[] {
  const tables = source
    .prepare<[], string>(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by rowid`,
    )
    .pluck()
    .all()
  return tables.map((table) => ({
    table,
    statements: source
      .prepare<[], (bigint | number | string | Buffer | null)[]>(`select * from "${table}"`)
      .raw()
      .all()
      .map((args) => ({
        sql: `insert into "${table}" values (${args.map(() => '?').join(', ')})`,
        args,
      })),
  }))
}

/** `migrate` checks references at its end only. */
async function insertAll(client: Client, rows: readonly CopiedRows[]): Promise<void> {
  await client.migrate(rows.flatMap(({ statements }) => statements))
}
