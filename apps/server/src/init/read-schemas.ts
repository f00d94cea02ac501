/** @module The schemas of a PostgreSQL database that have tables. */
import { type Config, silentLog } from '@engine/core'
import { parseConfig } from '@engine/core/server'
import type { FoundSchema } from '@engine/http'
import { loadAdapters } from '../configuration/adapters.ts'
import { isForeignTable } from './column-names.ts'

/** Without partitions, and without tables of extensions. */
const schemasQuery = `
  select n.nspname as name, count(*)::int as tables
  from pg_catalog.pg_class c
  join pg_catalog.pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p', 'v', 'm', 'f') and not c.relispartition
    and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
    and pg_catalog.has_schema_privilege(n.oid, 'usage')
    and pg_catalog.has_any_column_privilege(c.oid, 'select')
    and not exists (
      select from pg_catalog.pg_depend d
      where d.classid = 'pg_catalog.pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  group by n.nspname order by n.nspname <> 'public', n.nspname`

/**
 * `public` first. Schemas of other services, such as Supabase's `auth`, are left out.
 *
 * @returns nothing for databases without schemas.
 * @throws {GatewayError} `unavailable` with the reason; `invalidConfiguration` for a wrong URL.
 */
export async function readSchemas(url: string): Promise<readonly FoundSchema[]> {
  const config: Config = { connections: { main: url } }
  const settings = parseConfig(config)
  const connection = settings.connections.get('main')
  if (connection?.kind !== 'postgres') return []
  const { serviceDatabases } = await loadAdapters(settings)
  const database = serviceDatabases[connection.adapterPackage]?.(url, { log: silentLog })
  if (database === undefined) return []
  try {
    const session = await database.acquire()
    try {
      const { rows } = await session.execute(schemasQuery, [])
      return (rows as readonly FoundSchema[]).filter(({ name }) => !isForeignTable(`${name}.`))
    } finally {
      session.release()
    }
  } finally {
    await database.close()
  }
}
