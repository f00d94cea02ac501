import pg from 'pg'
import { postgresRows, postgresWorld } from '../world/postgres-world.ts'
import type { Row, World } from '../world/world.ts'
import { type Store, sortedRows } from './store.ts'

/** Loads a world into a schema. */
export async function openPostgresStore(url: string, world: World, schema: string): Promise<Store> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(`set synchronous_commit = off; ${postgresWorld(world, schema)}`)
  const look = world.tables
    .map(({ name, columns }) => {
      const cells = columns.map((column) => `x.${column.name}::text`).join(', ')
      return `(select coalesce(jsonb_agg(jsonb_build_array(${cells})), '[]') from ${schema}.${name} x)`
    })
    .join(', ')
  const refill = [
    'begin; set local session_replication_role = replica;',
    ...world.tables.map(({ name }) => `delete from ${schema}.${name};`),
    postgresRows(world, schema),
    'commit;',
  ].join('\n')
  return {
    contents: async () => {
      const { rows } = await client.query<{ all: string }>(
        `select jsonb_build_array(${look})::text as all`,
      )
      const tables = JSON.parse(rows[0]?.all ?? '[]') as readonly (readonly Row[])[]
      return new Map(world.tables.map(({ name }, i) => [name, sortedRows(tables[i] ?? [])]))
    },
    restore: async () => void (await client.query(refill)),
    close: () => client.end(),
  }
}
