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
import { openClient } from './support/client.ts'
import {
  aggregateCases,
  edgeTable,
  expressionCases,
  orderCases,
  windowCases,
} from './support/expression-cases.ts'
import { refusedExpressions } from './support/refused-expressions.ts'

type Answer =
  | { readonly kind: 'rows'; readonly rows: unknown }
  | { readonly kind: 'error'; readonly sqlState: string | undefined }
  | { readonly kind: 'refused' }

const ids = edgeTable.rows.map((_, index) => index + 1)

describePostgres('expressions compared with PostgreSQL', () => {
  describeEachMysql('through the engine', (server) => {
    let client: pg.Client
    let direct: DirectConnection
    let engine: Engine

    beforeAll(async () => {
      client = new pg.Client({ connectionString: await createDatabase('expressions') })
      await client.connect()
      await client.query(`create schema main; set search_path = main; ${edgeTable.postgres}`)
      const url = await server.createDatabase('expressions')
      const mysql = await openClient(url)
      await mysql.run(`set time_zone = '+00:00'`, server.ddl(edgeTable.mysql))
      // MySQL's JSON keeps no zeros at the end of a number.
      const rows = edgeTable.rows.map((row) =>
        server.vendor === 'mysql' ? row.replace('"n": 1.50', '"n": 1.5') : row,
      )
      for (const row of rows) {
        // MariaDB reads backslashes in texts, PostgreSQL in bytes.
        const spelled = row.replaceAll('\\\\', '\\').replace(`'\\'`, `'\\\\'`)
        await client.query(`insert into edges values (${spelled})`)
        await mysql.run(`insert into edges values (${row})`)
      }
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

    async function ofPostgres(sql: string): Promise<Answer> {
      try {
        return { kind: 'rows', rows: (await queryDirect(direct, sql, [])).rows }
      } catch (error) {
        return { kind: 'error', sqlState: sqlstateOf(error) }
      }
    }

    async function ofEngine(sql: string): Promise<Answer> {
      const request = { sql, params: [], method: 'all', meta: true, signal: undefined } as const
      try {
        const { body } = await engine.query(request, admin)
        const { rows } = JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown }
        return { kind: 'rows', rows }
      } catch (error) {
        if (!(error instanceof GatewayError) || error.status >= 500) throw error
        if (error.problem === 'unsupported') return { kind: 'refused' }
        return { kind: 'error', sqlState: error.sqlState }
      }
    }

    /** Equal, or refused: returns `refused` if the result was a refusal. */
    async function compare(sql: string): Promise<Answer['kind']> {
      const [expected, received] = [await ofPostgres(sql), await ofEngine(sql)]
      if (received.kind === 'refused') return 'refused'
      if (expected.kind === 'rows' && received.kind === 'rows') {
        const rows = expected.rows as Parameters<typeof compareRows>[0]
        expect(compareRows(rows, received.rows, true), sql).toBeUndefined()
      } else {
        expect(received, sql).toEqual(expected)
      }
      return received.kind
    }

    /** All rows at once; where one of them is an error or refused, one row after the other. */
    async function compareExpression(expression: string): Promise<void> {
      const all = `select id, ${expression} from main.edges order by id`
      const expected = await ofPostgres(all)
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
