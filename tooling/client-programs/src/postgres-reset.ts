import type pg from 'pg'
import { scratchTables } from './scratch-tables.ts'

/**
 * Stores the current scratch tables of a PostgreSQL fixture.
 *
 * @param client a separate session: the copies are temporary tables in it
 * @returns a function that restores rows and identity columns, in a few milliseconds
 */
export async function createPostgresReset(
  client: pg.Client | pg.PoolClient,
): Promise<() => Promise<void>> {
  const reset: string[] = []
  for (const [index, name] of scratchTables.entries()) {
    const table = `"main"."${name}"`
    const copy = `pg_temp.kept_${index}`
    await client.query(`create temporary table kept_${index} as table ${table}`)
    reset.push(`delete from ${table}`, `insert into ${table} table ${copy}`)
    if (await hasIdentity(client, name)) {
      reset.push(
        `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${copy}))`,
      )
    }
  }
  const statements = ['begin', ...reset, 'commit'].join(';\n')
  return async () => void (await client.query(statements))
}

async function hasIdentity(client: pg.Client | pg.PoolClient, table: string): Promise<boolean> {
  const { rows } = await client.query(
    `select from information_schema.columns
     where table_schema = 'main' and table_name = $1 and is_identity = 'YES'`,
    [table],
  )
  return rows.length > 0
}
