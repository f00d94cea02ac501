/** Many callers insert at the same time: on PostgreSQL and SQLite their INSERTs share commits. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  mine,
  type PermissionGateway,
  type PermissionWorld,
  umbra,
} from '../support/permission-world.ts'

const atATime = 32

describeDatabases('INSERTs of many callers at the same time', (open) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    gateway = await world.open({
      members: {
        table: 'main.members',
        roles: ['clerk'],
        select: { where: mine },
        insert: { check: { $and: [mine, { who: { $ne: 'nobody' } }] } },
      },
    })
  })
  afterAll(async () => {
    await world?.close()
  })

  test('each is stored and answered, or refused, as if it were alone', async () => {
    const count = 2_000
    const sql =
      'insert into main.members (id, tenant, who) values ($1, $2, $3) returning id, tenant, who'
    const answers = new Map<number, readonly [status: number, rows: unknown]>()
    let next = 10
    const work = async (n: number) => {
      const [own, other] = n % 2 === 0 ? (['acme', 'umbra'] as const) : (['umbra', 'acme'] as const)
      while (next < count) {
        const id = next
        next += 1
        // Now and then: a row of the other tenant, a forbidden name, the key of a row that exists.
        const tenant = id % 50 === 0 ? other : own
        const who = id % 50 === 1 ? 'nobody' : `member ${id}`
        const key = id % 50 === 2 ? 1 : id
        const { status, body } = await gateway.ask(n % 2 === 0 ? acme : umbra, sql, [
          key,
          tenant,
          who,
        ])
        answers.set(id, [status, body])
        if (status === 200) expect(body).toEqual({ rows: [[id, own, who]] })
      }
    }
    await Promise.all(Array.from({ length: atATime }, (_, n) => work(n)))
    const refused = [422, 422, 409]
    for (const [id, [status, body]] of answers) {
      expect([id, status, status === 200 ? '' : body]).toEqual([
        id,
        refused[id % 50] ?? 200,
        refused[id % 50] === undefined ? '' : expect.anything(),
      ])
    }
    const stored = (await world.database.rows(
      'select id from members where id >= 10 order by id',
    )) as readonly { readonly id: number }[]
    const acknowledged = [...answers].flatMap(([id, [status]]) => (status === 200 ? id : []))
    expect(stored.map(({ id }) => id)).toEqual(acknowledged.toSorted((one, two) => one - two))
  })
})
