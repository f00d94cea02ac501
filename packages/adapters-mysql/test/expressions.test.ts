import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Answer,
  type ComparedDatabases,
  expectEqual,
  openCompared,
} from './support/compared-databases.ts'
import {
  aggregateCases,
  edgeTable,
  expressionCases,
  orderCases,
  windowCases,
} from './support/expression-cases.ts'
import { refusedExpressions } from './support/refused-expressions.ts'

const ids = edgeTable.rows.map((_, index) => index + 1)

describePostgres('expressions compared with PostgreSQL', () => {
  describeEachMysql('through the engine', (server) => {
    let databases: ComparedDatabases

    beforeAll(async () => {
      // MySQL's JSON keeps no zeros at the end of a number.
      const rows = edgeTable.rows.map((row) =>
        server.vendor === 'mysql' ? row.replace('"n": 1.50', '"n": 1.5') : row,
      )
      // MariaDB reads backslashes in texts, PostgreSQL in bytes.
      const spelled = rows.map((row) => row.replaceAll('\\\\', '\\').replace(`'\\'`, `'\\\\'`))
      const inserted = (row: string) => `insert into edges values (${row})`
      databases = await openCompared('expressions', server, {
        postgres: [edgeTable.postgres, ...spelled.map(inserted)],
        mysql: [`set time_zone = '+00:00'`, server.ddl(edgeTable.mysql), ...rows.map(inserted)],
      })
    })
    afterAll(() => databases?.close())

    /** Equal, or refused: returns `refused` if the result was a refusal. */
    async function compare(sql: string): Promise<Answer['kind']> {
      return expectEqual(sql, await databases.ofPostgres(sql), await databases.ofEngine(sql))
    }

    /** All rows at once; where one of them is an error or refused, one row after the other. */
    async function compareExpression(expression: string): Promise<void> {
      const all = `select id, ${expression} from main.edges order by id`
      const expected = await databases.ofPostgres(all)
      const kind = expected.kind === 'rows' ? await compare(all) : 'error'
      if (kind === 'rows') return
      const kinds = new Set<Answer['kind']>()
      for (const id of ids) {
        kinds.add(await compare(`select ${expression} from main.edges where id = ${id}`))
      }
      const isRefused = kinds.size === 1 && kinds.has('refused')
      expect(isRefused, expression).toBe(refusedExpressions.has(expression))
    }

    test.each(Object.entries(expressionCases))(
      '%s',
      async (_, expressions) => {
        for (const expression of expressions) await compareExpression(expression)
      },
      120_000,
    )

    test.each(Object.entries(expressionCases))(
      '%s through a derived table',
      async (_, expressions) => {
        for (const expression of expressions) {
          await compare(
            `select q.id, q.v from (select id, ${expression} as v from main.edges offset 0) q where q.v is not null order by q.id`,
          )
        }
      },
      120_000,
    )

    test('aggregates over all rows, over none, in groups and through a derived table', async () => {
      for (const aggregate of aggregateCases) {
        const kinds = [
          await compare(`select ${aggregate} from main.edges`),
          await compare(`select ${aggregate} from main.edges where id < 0`),
          await compare(`select x, ${aggregate} from main.edges group by x order by x`),
          await compare(`select q.v from (select ${aggregate} as v from main.edges) q`),
        ]
        expect(kinds, aggregate).not.toContain('refused')
      }
    }, 120_000)

    test('window functions', async () => {
      for (const call of windowCases) {
        const kind = await compare(`select id, ${call} from main.edges order by id`)
        expect(kind, call).toBe('rows')
      }
    }, 120_000)

    test('sorting, grouping, distinct rows and joins', async () => {
      for (const key of orderCases) {
        await compare(`select id from main.edges order by ${key}, id`)
        await compare(`select id from main.edges order by ${key} desc nulls last, id`)
        await compare(
          `select ${key}, count(*) from main.edges group by ${key} order by count(*), min(id)`,
        )
        await compare(`select count(*) from (select distinct ${key} from main.edges) q`)
        await compare(
          `select count(*) from (select ${key} as v from main.edges) a join (select ${key} as v from main.edges) b on a.v = b.v`,
        )
      }
    }, 120_000)
  })
})
