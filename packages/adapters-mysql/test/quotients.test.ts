/** @module Quotients of random numerics, row by row: the digits that PostgreSQL shows, or a refusal. */
import { admin, createEngine, type Engine } from '@engine/core'
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { openClient } from './support/client.ts'

/** Digits of which whole groups of four are often 0000 or 9999, where the number of digits of a quotient changes. */
const digits = (most: number) =>
  fc
    .array(fc.constantFrom('0', '00', '000', '0000', '1', '2', '5', '9', '99', '999', '9999'))
    .map((parts) => parts.join('').slice(0, most))

const numeric = (whole: number, scale: number) =>
  fc
    .tuple(fc.constantFrom('', '-'), digits(whole), digits(scale))
    .map(([sign, before, after]) => `${sign}${before || '0'}${after === '' ? '' : `.${after}`}`)

/** By the column's type. */
const columns = {
  a: ['numeric(12, 2)', numeric(10, 2)],
  b: ['numeric(18, 8)', numeric(10, 8)],
  c: ['numeric(20, 0)', numeric(20, 0)],
  d: ['numeric(12, 12)', numeric(0, 12)],
  i: ['int', numeric(9, 0)],
} as const

const names = Object.keys(columns) as (keyof typeof columns)[]

const seed = 20_261_128
const rows = fc
  .sample(fc.tuple(...names.map((name) => columns[name][1])), { seed, numRuns: 300 })
  .map((values, index) => `(${[index + 1, ...values].join(', ')})`)
const definition = `id int primary key, ${names.map((name) => `${name} ${columns[name][0]}`).join(', ')}`

const pairs: readonly (readonly [string, string])[] = [
  ...names.flatMap((left) => names.map((right) => [left, right] as const)),
  ['coalesce(a, d)', 'i'],
  ['case when i > 5 then a else b end', '(i + 1)'],
  ['nullif(a, 0)', 'nullif(b, 0)'],
]

describePostgres('with PostgreSQL as the judge', () => {
  describeEachMysql('quotients', (server) => {
    let client: pg.Client
    let engine: Engine

    beforeAll(async () => {
      const statements = [
        `create table pair (${definition})`,
        `insert into pair values ${rows.join(', ')}`,
      ]
      client = new pg.Client({ connectionString: await createDatabase('quotients') })
      await client.connect()
      for (const sql of ['create schema main', 'set search_path = main', ...statements]) {
        await client.query(sql)
      }
      const url = await server.createDatabase('quotients')
      const mysql = await openClient(url)
      await mysql.run(...statements)
      await mysql.close()
      engine = await createEngine(
        { connections: { main: { url } } },
        { adapters: { '@engine/adapters-mysql': connect } },
      )
    })

    afterAll(async () => {
      await engine?.close()
      await client?.end()
    })

    async function rowsOf(sql: string): Promise<readonly unknown[][]> {
      const request = { sql, params: [], method: 'all', meta: true, signal: undefined } as const
      const { body } = await engine.query(request, admin)
      const { rows: found } = JSON.parse(Buffer.from(body).toString()) as { rows: unknown[][] }
      return found
    }

    async function compare(sql: string): Promise<void> {
      const expected = await client.query({ text: sql, rowMode: 'array' })
      expect(await rowsOf(sql), sql).toEqual(expected.rows)
    }

    // A server shows 30 digits after the point, or 38; PostgreSQL more.
    test.each(pairs)('%s / %s', async (left, right) => {
      const quotient = `${left} / ${right}`
      const shown = `${right} <> 0 and scale((${quotient})::numeric) <= 30`
      const { rows: ids } = await client.query(
        `select id from pair where case when ${right} <> 0 then ${shown} end order by id`,
      )
      expect(ids.length).toBeGreaterThan(100)
      const list = ids.map(({ id }: { readonly id: number }) => id).join(', ')
      await compare(`select id, ${quotient} from main.pair where id in (${list}) order by id`)
    })

    test.each(names)('avg(%s)', async (name) => {
      const bounds = Array.from({ length: 20 }, (_, index) => index * 15)
      for (const bound of bounds) {
        await compare(`select avg(${name}) from main.pair where id > ${bound}`)
      }
    })

    test.each([
      'select div(99999999.0, 100000000)',
      'select div(-99999999.0, 100000000)',
      'select div(a, 3), div(c, 99999999) from main.pair order by id',
      'select g from generate_series(0, 29999, 30000) g',
      'select g from generate_series(60000, 1, -30000) g',
    ])('whole quotients are not rounded up: %s', compare)

    test('a divisor that NULLIF removes is removed in every form of the quotient', async () => {
      const sql = 'select ($1::numeric / nullif($2::numeric, 0)) * a from main.pair where id = 1'
      const request = { sql, params: ['1.5', '0'], method: 'all', meta: true } as const
      const { body } = await engine.query({ ...request, signal: undefined }, admin)
      expect(JSON.parse(Buffer.from(body).toString())).toMatchObject({ rows: [[null]] })
    })
  })
})
