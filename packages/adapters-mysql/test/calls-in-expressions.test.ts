/** @module Aggregates and window functions as operands of every construct that takes one: PostgreSQL's results, or a refusal. */
import { admin, createEngine, type Engine } from '@engine/core'
import { GatewayError } from '@engine/core/adapter'
import {
  compareRows,
  type DirectConnection,
  openDirect,
  queryDirect,
  sqlstateOf,
} from '@engine/corpus'
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { nest, nestedCases } from '../src/print/test-support/nested-cases.ts'
import { openClient } from './support/client.ts'

const rows = [
  `(1, 3, 12.50, 'abc', 'Abc', true, '{"a": {"b": [1, 2]}, "k": [true]}')`,
  `(2, null, null, 'a,b', null, null, null)`,
  `(3, 0, 0.00, '', 'x', false, '[{"k": 1}, "a"]')`,
  `(4, 7, -3.75, '12', '12', true, '"text"')`,
  `(5, -2, 99999.99, '2024-02-29', 'b', false, '{"a": null}')`,
].join(', ')

const parts = `(1, 1, 5), (2, 1, 7), (3, 3, null)`

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
    let client: pg.Client
    let direct: DirectConnection
    let engine: Engine

    beforeAll(async () => {
      client = new pg.Client({ connectionString: await createDatabase('calls_in_expressions') })
      await client.connect()
      await client.query(`
        create schema main; set search_path = main;
        create table item (id int primary key, a int, price numeric(10, 2), name text not null, nick text, open boolean, data jsonb);
        create table part (id int primary key, item_id int, n int);
        insert into item values ${rows};
        insert into part values ${parts};`)
      const url = await server.createDatabase('calls_in_expressions')
      const mysql = await openClient(url)
      await mysql.run(
        server.ddl(`create table item (id int primary key, a int, price decimal(10, 2), name varchar(100) collate utf8mb4_nopad_bin not null,
           nick varchar(100) collate utf8mb4_general_ci, open boolean, data json)`),
        'create table part (id int primary key, item_id int, n int)',
        `insert into item values ${rows}`,
        `insert into part values ${parts}`,
      )
      await mysql.close()
      direct = await openDirect(client)
      engine = await createEngine(
        { connections: { main: { url } } },
        { adapters: { '@engine/adapters-mysql': connect } },
      )
    })

    afterAll(async () => {
      await engine?.close()
      await client?.end()
    })

    /** An error of PostgreSQL's: its state. */
    async function ofPostgres(sql: string, params: readonly unknown[]): Promise<unknown> {
      try {
        return (await queryDirect(direct, sql, params as number[])).rows
      } catch (error) {
        return sqlstateOf(error)
      }
    }

    async function ofEngine(sql: string, params: readonly unknown[]): Promise<unknown> {
      const request = { sql, params, method: 'all', meta: true, signal: undefined } as const
      try {
        const { body } = await engine.query(request, admin)
        return JSON.parse(Buffer.from(body).toString()).rows
      } catch (error) {
        if (!(error instanceof GatewayError) || error.status >= 500) throw error
        return error.problem === 'unsupported' || error.sqlState?.startsWith('42')
          ? 'refused'
          : error.sqlState
      }
    }

    /** `invalid`: PostgreSQL refuses it. */
    async function compare(sql: string): Promise<'equal' | 'refused' | 'invalid'> {
      const params = sql.includes('$2') ? [1.5, 'x'] : sql.includes('$1') ? [1.5] : []
      const expected = await ofPostgres(sql, params)
      if (typeof expected === 'string' && expected.startsWith('42')) return 'invalid'
      const received = await ofEngine(sql, params)
      if (received === 'refused') return 'refused'
      if (typeof expected === 'string' || typeof received === 'string') {
        expect(received, sql).toBe(expected)
      } else {
        const wanted = expected as Parameters<typeof compareRows>[0]
        expect(compareRows(wanted, received, true), sql).toBeUndefined()
      }
      return 'equal'
    }

    test.each(Object.entries(operands))(
      '%s',
      async (type, { aggregates, windows }) => {
        const counts = { equal: 0, refused: 0, invalid: 0 }
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
              for (const query of queries) {
                const expression = nest(call, wrap, 1)
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
