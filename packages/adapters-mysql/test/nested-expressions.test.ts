/** @module Translations that need an operand several times, nested: the results are PostgreSQL's at every depth. */
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { nest, nestedCases } from '../src/print/test-support/nested-cases.ts'
import {
  type Answer,
  type ComparedDatabases,
  expectEqual,
  openItems,
} from './support/compared-databases.ts'

const ids = [1, 2, 3, 4, 5]

describePostgres('nested expressions compared with PostgreSQL', () => {
  describeEachMysql('through the engine', (server) => {
    let databases: ComparedDatabases

    beforeAll(async () => {
      databases = await openItems('nested_expressions', server)
    })
    afterAll(() => databases?.close())

    /** Of all rows at once; row by row where one of them is an error or refused. Is one refused? */
    async function isRefused(expression: string): Promise<boolean> {
      const params = expression.includes('$1') ? [1.5] : []
      const rowsOf = (condition: string) =>
        `select id, ${expression} from main.item${condition} order by id`
      const all = rowsOf('')
      const expected = await databases.ofPostgres(all, params)
      if (expected.kind === 'rows' && (await compare(all, params, expected)) === 'rows') {
        return false
      }
      const kinds: Answer['kind'][] = []
      for (const id of ids) {
        const sql = rowsOf(` where id = ${id}`)
        kinds.push(await compare(sql, params, await databases.ofPostgres(sql, params)))
      }
      return kinds.includes('refused')
    }

    async function compare(
      sql: string,
      params: readonly number[],
      expected: Answer,
    ): Promise<Answer['kind']> {
      return expectEqual(sql, expected, await databases.ofEngine(sql, params))
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
          const kind = await compare(sql, [], await databases.ofPostgres(sql, []))
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
