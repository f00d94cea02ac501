import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  type Claims,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
  umbra,
} from '../support/permission-world.ts'

/** Total number of statements, and how many run at a time. */
const load = { statements: Number(process.env['CONCURRENT_WRITES'] ?? 1_000), atATime: 24 } as const

/** Rows of two tenants that all clients write to; none may have a total above 100 or a customer of the other tenant. */
const check = { $and: [mine, { total: { $between: [0, 100] } }, { customer: mine }] }

describeDatabases('many writes at the same time', (open) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    await world.database.run('update orders set total = 50')
    gateway = await world.open({
      orders: {
        table: 'main.orders',
        roles: ['clerk'],
        select: { where: mine },
        insert: {
          columns: ['id', 'customer_id', 'total'],
          preset: { tenant: '$user.tenant' },
          check,
        },
        update: { columns: ['customer_id', 'total', 'status'], where: mine, check },
        delete: { where: { $and: [mine, { id: { $gt: 8 } }] } },
      },
      customers: { table: 'main.customers', roles: ['clerk'], select: { where: mine } },
    })
  })
  afterAll(async () => {
    await world?.close()
  })

  /** The same statements in every run: only their order of execution differs. */
  function createDice(): (sides: number) => number {
    let state = 42
    return (sides) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((state / 2 ** 31) * sides)
    }
  }

  function statement(roll: (sides: number) => number): string {
    const id = 1 + roll(8)
    const key = 9 + roll(20)
    const amount = roll(60) - 25
    const customer = 1 + roll(4)
    switch (roll(6)) {
      case 0:
        return `update main.orders set total = total + ${amount} where id = ${id}`
      case 1:
        return `update main.orders set total = total + ${amount}, status = 'moved' returning id, total`
      case 2:
        return `update main.orders set customer_id = ${customer} where id in (${id}, ${key})`
      case 3:
        return `insert into main.orders (id, customer_id, total) values (${key}, ${customer}, ${40 + amount})
          on conflict (id) do update set total = orders.total + excluded.total returning id`
      case 4:
        return `insert into main.orders (id, customer_id, total) values (${key}, ${customer}, ${amount}) on conflict do nothing`
      default:
        return `delete from main.orders where id = ${key}`
    }
  }

  test(
    'none is committed that violates a check',
    async () => {
      const roll = createDice()
      const outcomes = new Map<number, number>()
      let left: number = load.statements
      const client = async (who: Claims): Promise<void> => {
        while (left > 0) {
          left -= 1
          const { status } = await gateway.ask(who, statement(roll))
          outcomes.set(status, (outcomes.get(status) ?? 0) + 1)
        }
      }
      await Promise.all(
        Array.from({ length: load.atATime }, (_, n) => client(n % 2 === 0 ? acme : umbra)),
      )

      const wrong = await world.database.rows(
        `select o.id from orders o join customers c on c.id = o.customer_id
      where o.total > 100 or o.total < 0 or o.tenant <> c.tenant`,
      )
      expect(wrong).toEqual([])
      const rowsByTenant = await world.database.rows(
        `select tenant from orders where id <= 8 group by tenant having count(*) <> 4`,
      )
      expect(rowsByTenant).toEqual([])
      // Refused by a check, or by an earlier transaction; no other error.
      expect([...outcomes.keys()].filter((status) => ![200, 409, 422].includes(status))).toEqual([])
      expect(outcomes.get(200)).toBeGreaterThan(load.statements / 6)
      expect(outcomes.get(422)).toBeGreaterThan(load.statements / 6)
    },
    60_000 + load.statements * 60,
  )
})
