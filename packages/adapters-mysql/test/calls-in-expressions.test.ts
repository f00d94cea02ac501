/** @module Aggregates and window functions as operands of every construct that takes one: PostgreSQL's results, or a refusal. */
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nest, nestedCases } from '../src/print/test-support/nested-cases.ts'
import { type ComparedDatabases, expectEqual, openItems } from './support/compared-databases.ts'

interface Operands {
  readonly aggregates: readonly string[]
  readonly windows: readonly string[]
}

const moment = `timestamp '2024-01-31 10:00:00' + make_interval(days => a)`

/** Of the types of `nestedCases`. */
const operands: Readonly<Record<string, Operands>> = {
  integers: {
    aggregates: ['max(a)', 'count(*)::int'],
    windows: ['lag(a, 1, 2) over (partition by open order by id)', '(count(*) over ())::int'],
  },
  numerics: {
    aggregates: ['sum(price)', 'avg(price)'],
    windows: ['sum(price) over (order by id)'],
  },
  floats: { aggregates: ['avg(a)::float8'], windows: ['lag(a::float8) over (order by id)'] },
  texts: {
    aggregates: ['max(name)', 'count(*)::text', `string_agg(name, ',' order by id)`],
    windows: ['lag(name) over (order by id)', '(count(*) over ())::text'],
  },
  truth: { aggregates: ['bool_or(open)'], windows: ['lag(open) over (order by id)'] },
  moments: { aggregates: [`max(${moment})`], windows: [`lag(${moment}) over (order by id)`] },
  documents: {
    aggregates: ['jsonb_agg(data order by id)'],
    windows: ['lag(data) over (order by id)'],
  },
  arrays: {
    aggregates: ['array_agg(a order by id)'],
    windows: ['array[lag(a) over (order by id), id]'],
  },
}

const all = 'id, a, price, name, nick, open, data'

/** Around an expression of one group or several. */
const overGroups = [
  'select {x} from main.item',
  'select {x} from main.item where id < 0',
  `select {x} from main.item group by ${all} order by id`,
  'select {x} from main.item group by open order by open',
  'select open from main.item group by open having {x} is not null order by open',
  `select id from main.item group by ${all} order by {x}, id`,
  'select p.id, (select {x} from main.item where item.id = p.n - 2) from main.part p order by id',
  `select p.id, (select {x} from main.item where item.id = p.id group by ${all}) from main.part p order by id`,
]

const overRows = [
  'select {x} from main.item order by id',
  'select id from main.item order by {x}, id',
  'select p.id, (select {x} from main.item where item.id = p.item_id) from main.part p order by id',
]

const overBoth = [
  `select {x} from main.item group by ${all} order by id`,
  'select {x} from main.item group by open order by open',
]

describePostgres('calls in expressions compared with PostgreSQL', () => {
  describeEachMysql('through the engine', (server) => {
    let databases: ComparedDatabases

    beforeAll(async () => {
      databases = await openItems('calls_in_expressions', server)
    })
    afterAll(() => databases?.close())

    /** Each combination runs on one of the two vendors, each construct and each query on both. */
    const isTried = (turn: number): boolean => (turn % 2 === 0) === (server.vendor === 'mysql')

    /** `invalid`: PostgreSQL refuses it. */
    async function compare(sql: string): Promise<'equal' | 'refused' | 'invalid'> {
      const params = sql.includes('$2') ? [1.5, 'x'] : sql.includes('$1') ? [1.5] : []
      const expected = await databases.ofPostgres(sql, params)
      if (expected.kind === 'error' && expected.sqlState?.startsWith('42')) return 'invalid'
      const received = await databases.ofEngine(sql, params)
      if (received.kind === 'error' && received.sqlState?.startsWith('42')) return 'refused'
      return expectEqual(sql, expected, received) === 'refused' ? 'refused' : 'equal'
    }

    test.each(Object.entries(operands))(
      '%s',
      async (type, { aggregates, windows }) => {
        const counts = { equal: 0, refused: 0, invalid: 0 }
        let turn = 0
        const ofBoth = aggregates
          .filter((each) => !each.includes('order by'))
          .map((each) => `first_value(${each}) over (order by min(id))`)
        const groups: readonly (readonly [readonly string[], readonly string[]])[] = [
          [aggregates, overGroups],
          [windows, overRows],
          [ofBoth, overBoth],
        ]
        for (const wrap of nestedCases[type]?.wraps ?? []) {
          for (const [calls, queries] of groups) {
            for (const call of calls) {
              const expression = nest(call, wrap, 1)
              turn += 1
              for (const query of queries.filter((_, i) => isTried(turn + i))) {
                counts[await compare(query.replace('{x}', () => expression))] += 1
              }
            }
          }
        }
        expect(counts.equal, JSON.stringify(counts)).toBeGreaterThan(counts.refused)
      },
      120_000,
    )

    test('conditions on groups over columns of one name', async () => {
      for (const sql of [
        'select q.m from (select max(a.n) as m from main.part a join main.part b on b.id > 0 group by a.n, b.id, b.n) q where q.m > 5 order by 1',
        'with q as (select max(a.n) as n, min(b.n) as id from main.part a join main.part b on b.id > 0 group by a.n, b.id, b.n) select n from q where n > 5 order by 1',
        'select n from (select max(a.n) as n from main.part a join main.part b on b.id > 0 group by a.n, b.n union all select 7) q where n > 5 order by 1',
        'select max(a.n) / 2 from main.part a join main.part b on b.id > 0 group by a.n, b.n having min(a.n) / 2 > 1 and b.n / 2 > 1 order by 1',
      ]) {
        expect(await compare(sql), sql).toBe('equal')
      }
    })

    test('subqueries of another query have one group, or calculate little', async () => {
      const group = (value: string) =>
        `select id, (select ${value} from main.part p where p.item_id = i.id) from main.item i order by id`
      for (const value of [
        'coalesce(sum(n), 0)',
        'sum(n) / nullif(count(*), 0)',
        `upper(count(*)::text || 'x')`,
        'round(avg(n) * 2, 1)',
        `jsonb_build_object('n', sum(n), 'all', jsonb_agg(n order by id))`,
      ]) {
        expect(await compare(group(value)), value).toBe('equal')
      }
      const several = (value: string) =>
        `select id, (select ${value} from main.part p where p.item_id = i.id group by p.n order by p.n limit 1) from main.item i order by id`
      for (const value of [
        ...['sum(n)', 'count(*) + sum(n)', 'coalesce(max(n), 0)', 'avg(n) > 1'],
        'case when count(*) > 1 then 0 else max(n) end',
      ]) {
        expect(await compare(several(value)), value).toBe('equal')
      }
      const rows = (value: string, order: string) =>
        `select id, (select ${value} from main.part p where p.item_id = i.id order by p.id ${order} limit 1) from main.item i order by id`
      for (const order of ['', 'desc']) {
        const over = 'over (order by p.id)'
        expect(await compare(rows(`lag(p.n, 1, 0) ${over}`, order))).toBe('equal')
        expect(await compare(rows(`lead(p.n, 1, i.id) ${over}`, order))).toBe('equal')
        expect(await compare(rows(`lead(i.name, 1, i.nick) ${over}`, order))).toBe('equal')
        expect(await compare(rows(`lag(i.price, 1, 0.5) ${over}`, order))).toBe('equal')
      }
      // A subquery in FROM of MariaDB does not see the row around it.
      const isSeen = server.vendor === 'mysql'
      expect(await compare(several('sum(n) / count(*)'))).toBe(isSeen ? 'equal' : 'refused')
    })
  })
})
