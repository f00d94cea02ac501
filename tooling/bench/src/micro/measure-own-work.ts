import { admin, type Caller, type Engine } from '@engine/core'
import { pointSelect, relationalSelect, tenant } from '../statements.ts'
import { openConstantEngine } from './constant-engine.ts'
import { measure, reportLine } from './measure.ts'

const often = { calls: 20_000, rounds: 7 }
const seldom = { calls: 200, rounds: 7 }

const customer: Caller = {
  kind: 'user',
  id: 'ada',
  roles: ['customer'],
  fields: { id: 'ada', tenant_id: tenant, customer_id: 1 },
}

/** Prints what the engine itself costs a statement, without any database. */
export async function measureOwnWork(url: string): Promise<void> {
  const point = await openConstantEngine({
    connections: { main: { url, schema: 'bench' } },
    auth: { secret: 'x'.repeat(32) },
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
    auth: { secret: 'x'.repeat(32) },
    permissions: shopPermissions,
  })
  console.log('Our own work for one statement (median of 7 rounds):')
  try {
    await reportCached(point)
    await reportPlanned('point select', point, pointSelect, [7])
    await reportPlanned('Drizzle relational query', shop, relationalSelect, [1, 4])
  } finally {
    await point.close()
    await shop.close()
  }
}

async function reportCached(engine: Engine): Promise<void> {
  const request = { sql: pointSelect, params: [7], method: 'all', meta: false } as const
  const cached = () => engine.query({ ...request, signal: undefined }, customer)
  console.log(reportLine('cached point select, row filter', await measure(cached, often), 30))
  const text = JSON.stringify(request)
  const fromText = () => engine.query({ ...JSON.parse(text), signal: undefined }, customer)
  console.log(
    reportLine(
      'the same with JSON.parse, fresh SQL text',
      await measure(fromText, often),
      undefined,
    ),
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
      return engine.query(
        { sql: text, params, method: 'all', meta: false, signal: undefined },
        caller,
      )
    }
    const title = `parse, bind, authorize, print: ${name}, ${who}`
    console.log(reportLine(title, await measure(planned, seldom), 1_000))
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
