/** @module PostGraphile on the server of Node.js. The row rule is PostgreSQL's: the caller's role, and a setting with its name. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import pg from 'pg'
import { postgraphile } from 'postgraphile'
import { makePgService } from 'postgraphile/adaptors/pg'
import { grafserv } from 'postgraphile/grafserv/node'
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber'
import { createCallers } from './caller.mjs'

export async function createPeer({ url, secret, connections }) {
  const pool = new pg.Pool({ connectionString: url, max: connections })
  await pool.query(readFileSync(new URL('row-security.sql', import.meta.url), 'utf8'))
  const callerOf = createCallers(secret)
  const instance = postgraphile({
    extends: [PostGraphileAmberPreset],
    pgServices: [makePgService({ pool, schemas: ['public'], pubsub: false })],
    grafast: {
      context: async ({ node }) => {
        const name = await callerOf(node?.req.headers.authorization)
        const settings = name === undefined ? {} : { 'jwt.claims.name': name }
        return { pgSettings: { role: 'bench_customer', ...settings } }
      },
    },
    grafserv: { graphiql: false, maskError: (error) => error },
  })
  const server = createServer()
  await instance.createServ(grafserv).addTo(server)
  return {
    server,
    close: async () => {
      await instance.release()
      await pool.end()
    },
  }
}
