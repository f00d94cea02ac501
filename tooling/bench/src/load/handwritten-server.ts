/** @module A process with a handwritten server for `bench.orders`: Hono, pg, no authentication. */
import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import pg from 'pg'
import { tenant } from '../statements.ts'
import { serveParent } from './serve-parent.ts'

interface Body {
  readonly sql: string
  readonly params: readonly number[]
}

const point = {
  name: 'point',
  text: `select id, status, total_cents, freight, order_date, ship_city
    from bench.orders where id = $1 and tenant_id = $2`,
}
const page = {
  name: 'page',
  text: `select id, tenant_id, status, total_cents, freight, order_date, ship_city, is_gift
    from bench.orders where id > $1 and tenant_id = $3 order by id limit $2`,
}

const pool = new pg.Pool({ connectionString: process.argv[2], max: 16 })
const app = new Hono()
app.post('/data', async (context) => {
  const { params } = await context.req.json<Body>()
  const query = params.length === 1 ? point : page
  const { rows } = await pool.query({ ...query, values: [...params, tenant], rowMode: 'array' })
  return context.json({ rows })
})
await serveParent(createAdaptorServer({ fetch: app.fetch }), () => pool.end())
