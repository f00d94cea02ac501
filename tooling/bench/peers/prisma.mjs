/** @module Prisma behind Hono. The row rule is an extension of its client; each caller has an extended client, made once. */
import { createAdaptorServer } from '@hono/node-server'
import { PrismaPg } from '@prisma/adapter-pg'
import { Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { createCallers } from './caller.mjs'
import generated from './generated/prisma/index.js'

/** JSON has no 64-bit integers. */
Object.defineProperty(BigInt.prototype, 'toJSON', {
  value() {
    return this.toString()
  },
})

/** Queries of one caller: they reach the caller's rows alone. */
function tenant(owner) {
  return generated.Prisma.defineExtension({
    query: {
      $allModels: {
        $allOperations({ operation, args, query }) {
          if (operation !== 'create') return query({ ...args, where: { ...args.where, owner } })
          if (args.data.owner !== owner) throw new HTTPException(403)
          return query(args)
        },
      },
    },
  })
}

const point = {
  id: true,
  status: true,
  total_cents: true,
  freight: true,
  order_date: true,
  ship_city: true,
}

/** The statements of the workloads, by name. */
const statements = {
  W1: async (db, [id]) => {
    const row = await db.order.findUnique({ where: { id }, select: point })
    return row === null ? [] : [row]
  },
  W2: (db, [after]) =>
    db.order.findMany({ where: { id: { gt: after } }, orderBy: { id: 'asc' }, take: 100 }),
  W3: async (db, [owner, body]) => [await db.note.create({ data: { owner, body } })],
  W4: (db) =>
    db.order.groupBy({
      by: ['status'],
      _count: { _all: true },
      _sum: { total_cents: true },
      orderBy: { status: 'asc' },
    }),
}

/** Names of prepared statements: PostgreSQL parses a statement with a name once for each connection. */
function createNames() {
  const names = new Map()
  return ({ sql }) => {
    const name = names.get(sql) ?? `s${names.size}`
    names.set(sql, name)
    return name
  }
}

export function createPeer({ url, secret, connections }) {
  const adapter = new PrismaPg(
    { connectionString: url, max: connections },
    { statementNameGenerator: createNames() },
  )
  const prisma = new generated.PrismaClient({ adapter })
  const clients = new Map()
  const clientOf = (owner) => {
    const client = clients.get(owner) ?? prisma.$extends(tenant(owner))
    clients.set(owner, client)
    return client
  }
  const callerOf = createCallers(secret)
  const app = new Hono()
  for (const [name, run] of Object.entries(statements)) {
    app.post(`/${name}`, async (context) => {
      const owner = await callerOf(context.req.header('authorization'))
      if (owner === undefined) throw new HTTPException(401)
      const { params } = await context.req.json()
      return context.json({ rows: await run(clientOf(owner), params) })
    })
  }
  return {
    server: createAdaptorServer({ fetch: app.fetch }),
    close: () => prisma.$disconnect(),
  }
}
