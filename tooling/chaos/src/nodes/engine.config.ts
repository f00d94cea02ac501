/** @module The configuration of both nodes; addresses come from the environment. */
import { type Config, defineAction, type Permission } from '@engine/core'
import { z } from 'zod'
import { connectionNames } from '../target.ts'

const variable = (name: string): string => {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set`)
  return value
}

const own = { owner: '$user.id' }

const permissions: readonly Permission[] = connectionNames.flatMap((connection) => [
  {
    name: `${connection} counters`,
    table: `${connection}.counters`,
    roles: ['user'],
    select: { where: own },
    insert: { check: own },
    update: { where: own, check: own },
  },
  {
    name: `${connection} entries`,
    table: `${connection}.entries`,
    roles: ['user'],
    select: { where: own },
    insert: { check: { ...own, amount: { $gte: 0 } } },
    delete: { where: own },
  },
])

/** Moves one from a counter to another, in a transaction. */
const transfer = defineAction({
  roles: ['user'],
  input: z.object({ connection: z.enum(connectionNames), from: z.string(), to: z.string() }),
  output: z.object({ moved: z.literal(1) }),
  run: async ({ db }, { connection, from, to }) =>
    db.transaction().execute(async (transaction) => {
      const move = (id: string, by: number) =>
        transaction
          .updateTable(`${connection}.counters`)
          .set(({ eb }) => ({ n: eb('n', '+', by) }))
          .where('id', '=', id)
          .execute()
      await move(from, -1)
      await move(to, 1)
      return { moved: 1 as const }
    }),
})

const config: Config & { readonly port: number; readonly host: string } = {
  host: '127.0.0.1',
  port: Number(variable('CHAOS_PORT')),
  connections: {
    postgres: { url: variable('CHAOS_POSTGRES'), pool: { max: 8 } },
    mariadb: { url: variable('CHAOS_MARIADB'), pool: { max: 8 } },
    mysql: { url: variable('CHAOS_MYSQL'), pool: { max: 8 } },
    sqlite: { url: variable('CHAOS_SQLITE') },
  },
  service_db: variable('CHAOS_SERVICE'),
  masterKey: variable('CHAOS_MASTER_KEY'),
  auth: { secret: variable('CHAOS_AUTH_SECRET'), throttle: false },
  permissions,
  actions: { transfer },
  audit: { enabled: true },
  limits: {
    queryTimeout: Number(variable('CHAOS_QUERY_TIMEOUT_MS')),
    rateLimitPerIP: 1_000_000,
    rateLimitPerUser: 1_000_000,
  },
}

export default config
