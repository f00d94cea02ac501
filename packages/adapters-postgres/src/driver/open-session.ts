import { GatewayError } from '@engine/core/adapter'
import type { PoolClient } from 'pg'
import type { Backend } from './backend-end.ts'
import { createSession, type ServerSession } from './session.ts'

/** Values in the formats that we read, and names with the meaning that we print. */
const settings = [
  "set TimeZone = 'UTC'",
  "set DateStyle = 'ISO, MDY'",
  "set IntervalStyle = 'postgres'",
  'set extra_float_digits = 1',
  "set bytea_output = 'hex'",
  'set standard_conforming_strings = on',
  "set lc_monetary = 'C'",
  "set client_min_messages = 'warning'",
  // Triggers, defaults and functions of the database rely on the path of the role; our schemas come first.
  `select pg_catalog.set_config('search_path', pg_catalog.concat_ws(', ', 'pg_catalog',
     nullif(nullif(pg_catalog.current_setting('search_path'), ''), '""')), false)`,
] as const

/** Time limit for the whole set-up, in milliseconds. */
const timeoutMs = 10_000

/** Gives a new connection the same settings as all others. */
export async function openSession(client: PoolClient, isReadOnly: boolean): Promise<ServerSession> {
  const commands = isReadOnly ? [...settings, 'set default_transaction_read_only = on'] : settings
  const timer = setTimeout(() => client.connection.stream.destroy(), timeoutMs)
  try {
    await client.query(commands.join('; '))
    const { rows } = await client.query<Backend>(
      `select pg_catalog.pg_backend_pid() as pid,
         (select backend_start::pg_catalog.text from pg_catalog.pg_stat_activity
          where pid = pg_catalog.pg_backend_pid()) as "startedAt"`,
    )
    const [backend] = rows
    if (backend === undefined) throw new GatewayError('internal', 'a connection without a backend')
    return createSession(client, backend)
  } finally {
    clearTimeout(timer)
  }
}
