/** @module A process that serves `bench.orders` through the engine, as the reference server does. */
import { connect } from '@engine/adapters-postgres'
import { createEngine } from '@engine/core'
import { createApp } from '@engine/http'
import { createAdaptorServer } from '@hono/node-server'
import { serveParent } from './serve-parent.ts'

const [url = '', secret = ''] = process.argv.slice(2)
const engine = await createEngine(
  {
    connections: { main: { url, schema: 'bench', pool: { max: 16 } } },
    auth: { secret },
    permissions: [
      {
        table: 'main.orders',
        roles: ['customer'],
        select: { where: { tenant_id: '$user.tenant_id' } },
      },
    ],
  },
  { adapters: { '@engine/adapters-postgres': connect } },
)
const app = createApp(engine, { isDevelopment: false })
await serveParent(createAdaptorServer({ fetch: app.fetch }), () => engine.close())
