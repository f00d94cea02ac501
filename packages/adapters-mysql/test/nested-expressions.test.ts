/** @module Translations that need an operand several times, nested: the results are PostgreSQL's at every depth. */
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

const ids = [1, 2, 3, 4, 5]

const rows = [
  `(1, 3, 12.50, 'abc', 'Abc', true, '{"a": {"b": [1, 2]}, "k": [true]}')`,
  `(2, null, null, 'a,b', null, null, null)`,
  `(3, 0, 0.00, '', 'x', false, '[{"k": 1}, "a"]')`,
  `(4, 7, -3.75, '12', '12', true, '"text"')`,
  `(5, -2, 99999.99, '2024-02-29', 'b', false, '{"a": null}')`,
].join(', ')

const parts = `(1, 1, 5), (2, 1, 7), (3, 3, null)`

type Answer =
  | { readonly kind: 'rows'; readonly rows: unknown }
  | { readonly kind: 'error'; readonly sqlState: string | undefined }
  | { readonly kind: 'refused' }

describePostgres('nested expressions compared with PostgreSQL', () => {
  describeEachMysql('through the engine', (server) => {
    let client: pg.Client
    let direct: DirectConnection
    let engine: Engine

    beforeAll(async () => {
      client = new pg.Client({ connectionString: await createDatabase('nested_expressions') })
      await client.connect()
      await client.query(`
        create schema main; set search_path = main;
        create table item (id int primary key, a int, price numeric(10, 2), name text not null, nick text, open boolean, data jsonb);
        create table part (id int primary key, item_id int, n int);
        insert into item values ${rows};
        insert into part values ${parts};`)
      const url = await server.createDatabase('nested_expressions')
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

    async function ofPostgres(sql: string, params: readonly number[]): Promise<Answer> {
      try {
        return { kind: 'rows', rows: (await queryDirect(direct, sql, params)).rows }
      } catch (error) {
        return { kind: 'error', sqlState: sqlstateOf(error) }
      }
    }

    async function ofEngine(sql: string, params: readonly number[]): Promise<Answer> {
      const request = { sql, params, method: 'all', meta: true, signal: undefined } as const
      try {
        const { body } = await engine.query(request, admin)
        return { kind: 'rows', rows: JSON.parse(Buffer.from(body).toString()).rows }
      } catch (error) {
        if (!(error instanceof GatewayError) || error.status >= 500) throw error
        if (error.problem === 'unsupported') return { kind: 'refused' }
        return { kind: 'error', sqlState: error.sqlState }
      }
    }

    /** Of all rows at once; row by row where one of them is an error or refused. Is one refused? */
    async function isRefused(expression: string): Promise<boolean> {
      const params = expression.includes('$1') ? [1.5] : []
      const rowsOf = (condition: string) =>
        `select id, ${expression} from main.item${condition} order by id`
      const all = rowsOf('')
      const expected = await ofPostgres(all, params)
      if (expected.kind === 'rows' && (await compare(all, params, expected)) === 'rows') {
        return false
      }
      const kinds: Answer['kind'][] = []
      for (const id of ids) {
        const sql = rowsOf(` where id = ${id}`)
        kinds.push(await compare(sql, params, await ofPostgres(sql, params)))
      }
      return kinds.includes('refused')
    }

    async function compare(
      sql: string,
      params: readonly number[],
      expected: Answer,
    ): Promise<Answer['kind']> {
      const received = await ofEngine(sql, params)
      if (received.kind === 'rows' && expected.kind === 'rows') {
        const wanted = expected.rows as Parameters<typeof compareRows>[0]
        expect(compareRows(wanted, received.rows, true), sql).toBeUndefined()
      } else if (received.kind !== 'refused') {
        expect(received, sql).toEqual(expected)
      }
      return received.kind
    }

    test.each(Object.entries(nestedCases))(
      '%s inside each other',
      async (_, { seed, wraps, most = 10 }) => {
        for (const wrap of wraps) {
          for (const depth of [3, depthOf(wrap, most)]) {
            const answer = await isRefused(nest(seed, wrap, depth))
            const mayBe = refusable.has(wrap) || refusableBy[server.vendor]?.has(wrap) === true
            expect(answer && !mayBe, `${wrap} ${depth} times`).toBe(false)
          }
        }
      },
      120_000,
    )

    test.each([
      ['sum(price)', '({x} / 7)'],
      ['sum(price)', '({x} * 1.0 / count(*))'],
      ['count(*)::numeric', '(sum(price) / nullif({x}, count(*)))'],
      ['avg(price)', 'round({x} / (count(*) + 1), 4)'],
      ['avg(price)', 'greatest({x}, max(price), count(*), 1.5)'],
      ['avg(a)::float8', 'sqrt(abs({x}) + count(*))'],
      ['count(*)::int', 'abs({x} - 7 * count(*))::int'],
      ['max(name)', `replace({x} || name, min(nick), count(*)::text)`],
      [`string_agg(name, ',' order by id)`, `split_part({x}, ',', count(*)::int)`],
      ['jsonb_agg(data order by id)', '({x} -> count(*)::int)'],
    ])('aggregates: %s in %s', async (seed, wrap) => {
      const isOfRow = wrap.includes('|| name')
      for (const depth of [1, 2, 5, 20]) {
        const expression = nest(seed, wrap, depth)
        for (const sql of [
          ...(isOfRow ? [] : [`select ${expression} from main.item`]),
          `select ${expression} from main.item group by name order by name`,
          `select name from main.item group by name having ${expression} is null order by name`,
        ]) {
          const kind = await compare(sql, [], await ofPostgres(sql, []))
          expect(kind === 'refused' && depth < 5, sql).toBe(false)
        }
      }
    })
  })
})

/** Values with more digits than a DECIMAL, or in an unusual spelling: refused at run time. */
const refusable: ReadonlySet<string> = new Set([
  'round(price, {x})::int',
  '({x} / price)',
  '(({x} + $1) / 3 + 1)',
  '{x}::date::text',
  `to_char({x}::timestamp, 'YYYY-MM-DD')`,
  'to_jsonb({x})::text::timestamp',
])

/** The same where a DECIMAL has 30 digits after the point, and a number of JSON is a double. */
const refusableBy: Readonly<Record<string, ReadonlySet<string> | undefined>> = {
  mysql: new Set(['({x} / 7)', 'to_jsonb({x})::numeric']),
}

/** PostgreSQL doubles the operand of IN over columns, like a client that writes it twice. */
function depthOf(wrap: string, most: number): number {
  const isDoubled = wrap.split('{x}').length > 2 || / in \(/.test(wrap)
  return isDoubled ? 3 : 2 * most
}
