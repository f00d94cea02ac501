import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import {
  acme,
  createWorld,
  type PermissionGateway,
  type PermissionWorld,
} from '../support/permission-world.ts'

const refused = [422, 'VALIDATION_ERROR'] as const

/** No other row of feedback has the same body. */
const unlikeOthers = {
  $not: {
    $exists: {
      table: 'main.feedback',
      where: { body: { $outer: 'body' }, id: { $ne: { $outer: 'id' } } },
    },
  },
}

/** A row of feedback exists whose number is the level of this one. */
const levelExists = {
  $exists: { table: 'main.feedback', where: { id: { $outer: 'level' } } },
}

describeDatabases('a policy that looks at the table that is written', (open) => {
  let world: PermissionWorld
  let gateway: PermissionGateway
  beforeAll(async () => {
    world = await createWorld(open)
    gateway = await world.open({
      unlike: {
        table: 'main.feedback',
        roles: ['clerk'],
        select: {},
        insert: { columns: ['id', 'body', 'level'], check: unlikeOthers },
        update: { columns: ['body'], check: unlikeOthers },
      },
      linked: {
        table: 'main.feedback',
        roles: ['linker'],
        select: { where: levelExists },
        insert: { columns: ['id', 'body', 'level'], check: levelExists },
      },
    })
  })
  beforeEach(async () => {
    await world.reset()
  })
  afterAll(async () => {
    await world?.close()
  })

  const bodies = async () =>
    (await world.database.rows('select body from feedback order by id')).map(
      (row) => (row as { body: string }).body,
    )

  test('a policy that looks at the table that is written sees the rows that the statement itself stored', async () => {
    const twins = "insert into main.feedback (id, body) values (7, 'same'), (8, 'same')"
    expect(await gateway.refusal(acme, twins)).toEqual(refused)
    expect(await gateway.refusal(acme, `${twins} returning id`)).toEqual(refused)
    expect(await bodies()).toEqual(['good', 'CANARY-bad'])

    const different =
      "insert into main.feedback (id, body) values (7, 'a'), (8, 'b') returning id, body"
    expect(await gateway.rows(acme, different)).toEqual([
      [7, 'a'],
      [8, 'b'],
    ])
  })

  test('a policy that looks at the table that is written sees the rows that were there', async () => {
    const twin = "insert into main.feedback (id, body) values (7, 'good')"
    expect(await gateway.refusal(acme, twin)).toEqual(refused)
    const update = "update main.feedback set body = 'same' where id > 0"
    expect(await gateway.refusal(acme, update)).toEqual(refused)
    expect(await bodies()).toEqual(['good', 'CANARY-bad'])

    const one = "update main.feedback set body = 'new' where id = 1 returning body"
    expect(await gateway.rows(acme, one)).toEqual([['new']])
  })

  test('a row may rely on another of the same statement, and is seen afterwards', async () => {
    const linker = { ...acme, roles: ['linker'] }
    const chain =
      "insert into main.feedback (id, body, level) values (7, 'a', 8), (8, 'b', 7), (9, 'c', 9) returning id"
    expect(await gateway.rows(linker, chain)).toEqual([[7], [8], [9]])
    const alone = "insert into main.feedback (id, body, level) values (10, 'd', 11) returning id"
    expect(await gateway.refusal(linker, alone)).toEqual(refused)
  })

  test('a write in WITH is refused: its check could not see what the statement stores', async () => {
    const sql =
      "with w as (insert into main.feedback (id, body) values (7, 'a') returning id) select id from w"
    expect(await gateway.refusal(acme, sql)).toEqual([400, 'BAD_REQUEST'])
    expect(await bodies()).toEqual(['good', 'CANARY-bad'])
  })
})
