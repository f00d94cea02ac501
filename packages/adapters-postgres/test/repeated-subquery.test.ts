import { type Caller, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'

const caller: Caller = { kind: 'user', id: '1', roles: ['member'], fields: { tenant: 1 } }

/** Every place where an expression is printed gets a secured table with its own names. */
describePostgres('an expression with a subquery over a table with a filter', () => {
  let engine: Engine

  beforeAll(async () => {
    const url = await createDatabase('repeated_subquery')
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(`
      create table notes (id int primary key, tenant int not null, likes int);
      insert into notes values (1, 1, 5), (2, 1, 7), (3, 1, 5), (4, 2, 9)`)
    await client.end()
    engine = await createEngine(
      {
        connections: { main: url },
        auth: { secret: 'x'.repeat(32) },
        permissions: {
          notes: {
            table: 'main.notes',
            roles: ['member'],
            select: { where: { tenant: '$user.tenant' } },
          },
        },
      },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })
  afterAll(() => engine.close())

  const more = 'exists (select 1 from main.notes m where m.likes > n.likes)'

  test.each([
    [
      'is grouped by and selected',
      `select ${more}, count(*) from main.notes n group by ${more} order by 1`,
      [
        [false, '1'],
        [true, '2'],
      ],
    ],
    [
      'is grouped by and stands in HAVING',
      `select count(*) from main.notes n group by ${more} having ${more}`,
      [['2']],
    ],
    [
      'stands in a HAVING that can fail and needs a barrier',
      `select count(*) from main.notes n group by ${more} having (${more} and 10 / count(*) > 0) order by 1`,
      [['2']],
    ],
    [
      'stands in a HAVING that can fail as a whole',
      `select ${more} from main.notes n group by ${more} having coalesce(${more}, 1 / count(*) > 0) is not null order by 1`,
      [[false], [true]],
    ],
    [
      'is grouped by, and a condition around it can fail',
      `select * from (select ${more} as is_more, count(*) as n from main.notes n group by ${more}) d where 10 / (case when d.is_more then 2 else 1 end) > 5`,
      [[false, '1']],
    ],
    [
      'picks the first rows and sorts them',
      `select distinct on (1) ${more}, n.id from main.notes n order by 1, 2`,
      [
        [false, 2],
        [true, 1],
      ],
    ],
    [
      'is aggregated once each and sorted',
      `select array_agg(distinct ${more} order by ${more}) from main.notes n`,
      [[[false, true]]],
    ],
    [
      'needs columns that depend on the grouped key',
      'select n.id, (select max(m.id) from main.notes m where m.likes = n.likes) from main.notes n group by n.id order by (select max(m.id) from main.notes m where m.likes = n.likes), 1',
      [
        [2, 2],
        [1, 3],
        [3, 3],
      ],
    ],
  ])('%s', async (_, sql, rows) => {
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    const { body } = await engine.query(request, caller)

    expect(JSON.parse(String(body))).toEqual({ rows })
  })
})
