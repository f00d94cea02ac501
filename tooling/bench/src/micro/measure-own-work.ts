import { admin, type Caller, type Engine } from '@engine/core'
import { createApp } from '@engine/http'
import { Hono } from 'hono'
import { pointSelect, relationalSelect, tenant } from '../statements.ts'
import { tokenOf } from '../token.ts'
import { constantAnswer, openConstantEngine } from './constant-engine.ts'
import { measure, reportDifference, reportLine } from './measure.ts'

const often = { calls: 1_000, rounds: 100 }
const seldom = { calls: 10, rounds: 300 }

/** In microseconds. */
const goals = { cached: 30, planned: 1_000 } as const

const secret = 'x'.repeat(32)

const customer: Caller = {
  kind: 'user',
  id: 'ada',
  roles: ['customer'],
  fields: { id: 'ada', tenant_id: tenant, customer_id: 1 },
}

/** Prints the engine's own cost of a statement, without a database. */
export async function measureOwnWork(url: string): Promise<void> {
  const point = await openConstantEngine({
    connections: { main: { url, schema: 'bench' } },
    auth: { secret },
    permissions: [
      {
        table: 'main.orders',
        roles: ['customer'],
        select: { where: { tenant_id: '$user.tenant_id' } },
      },
    ],
  })
  const shop = await openConstantEngine({
    connections: { main: { url, schema: 'main' } },
    auth: { secret },
    permissions: shopPermissions,
  })
  console.log('Our own work for one statement, the cheapest tenth of short rounds:')
  try {
    await reportCached(point)
    await reportHandler(point)
    await reportPlanned('point select', point, pointSelect, [7])
    await reportPlanned('Drizzle relational query', shop, relationalSelect, [1, 4])
  } finally {
    await point.close()
    await shop.close()
  }
}

const request = { sql: pointSelect, params: [7], method: 'all', meta: false } as const

async function reportCached(engine: Engine): Promise<void> {
  const cached = () => engine.query({ ...request, signal: undefined }, customer)
  console.log(
    reportLine('cached point select, row filter', await measure(cached, often), goals.cached),
  )
}

/** The same with the work of a request: token, body, checks, headers. Minus the work of any handler. */
async function reportHandler(engine: Engine): Promise<void> {
  const app = createApp(engine, { isDevelopment: false })
  const nearlyNothing = new Hono()
  nearlyNothing.post('/data', async (context) => {
    await context.req.json()
    return new Response(`{"rows":[${constantAnswer.rows}]}`, {
      headers: { 'Content-Type': 'application/json' },
    })
  })
  const body = JSON.stringify(request)
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    authorization: `Bearer ${await tokenOf(secret)}`,
  }
  const sent = () => new Request('http://localhost/data', { method: 'POST', headers, body })
  const ours = await measure(async () => app.fetch(sent()), often)
  const floor = await measure(async () => nearlyNothing.fetch(sent()), often)
  console.log(
    reportDifference('the same as a POST, more than an empty handler', ours, floor, goals.cached),
  )
}

async function reportPlanned(
  name: string,
  engine: Engine,
  sql: string,
  params: readonly unknown[],
): Promise<void> {
  for (const [who, caller] of [
    ['full rights', admin],
    ['row filters', customer],
  ] as const) {
    let serial = 0
    const planned = () => {
      serial += 1
      const text = `${sql} -- ${serial}`
      const statement = { sql: text, params, method: 'all', meta: false } as const
      return engine.query({ ...statement, signal: undefined }, caller)
    }
    const title = `parse, bind, authorize, print: ${name}, ${who}`
    console.log(reportLine(title, await measure(planned, seldom), goals.planned))
  }
}

const shopPermissions = [
  {
    table: 'main.customers',
    roles: ['customer'],
    select: { columns: ['id', 'company_name', 'country'], where: { id: '$user.customer_id' } },
  },
  {
    table: 'main.orders',
    roles: ['customer'],
    select: { where: { customer_id: '$user.customer_id' } },
  },
  {
    table: 'main.order_items',
    roles: ['customer'],
    select: { where: { order: { customer_id: '$user.customer_id' } } },
  },
  { table: 'main.products', roles: ['customer'], select: { columns: ['id', 'name'] } },
]
