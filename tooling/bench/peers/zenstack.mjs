/** @module ZenStack behind Hono. The row rule is in its schema. */
import { createAdaptorServer } from '@hono/node-server'
import { ZenStackClient } from '@zenstackhq/orm'
import { PostgresDialect } from '@zenstackhq/orm/dialects/postgres'
import { PolicyPlugin } from '@zenstackhq/plugin-policy'
import { RPCApiHandler } from '@zenstackhq/server/api'
import { createHonoHandler } from '@zenstackhq/server/hono'
import { Hono } from 'hono'
import pg from 'pg'
import { createCallers } from './caller.mjs'
import { schema } from './generated/zenstack/schema.mjs'

export function createPeer({ url, secret, connections }) {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  const client = new ZenStackClient(schema, { dialect: new PostgresDialect({ pool }) })
  const guarded = client.$use(new PolicyPlugin())
  const callerOf = createCallers(secret)
  const handler = createHonoHandler({
    apiHandler: new RPCApiHandler({ schema }),
    getClient: async (context) => {
      const name = await callerOf(context.req.header('authorization'))
      return guarded.$setAuth(name === undefined ? undefined : { name })
    },
  })
  const app = new Hono()
  app.use('/rpc/*', handler)
  return {
    server: createAdaptorServer({ fetch: app.fetch }),
    close: () => client.$disconnect(),
  }
}
