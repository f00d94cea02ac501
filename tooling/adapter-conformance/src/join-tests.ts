/** @module Random statements with many LATERAL joins, compared with PostgreSQL. */

import { anonymous, createEngine, type Engine } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { joinTables, randomJoins } from './random-joins.ts'

/** A new database in which the tables can be created. */
export interface JoinSubject {
  /** The configuration of the connection. */
  readonly url: string
  readonly adapterPackage: string
  readonly connect: AdapterFactory
  /** Runs one statement of SQL that every database supports. */
  run(sql: string): Promise<void>
  remove(): Promise<void>
}

const statementsPerTest = 50
const seeds = [1, 2, 3].map((first) => first * 1000)

/**
 * Compares rows in any order. Statements that are refused are skipped.
 *
 * @param leastCompared minimum share of statements that are not refused: 0.8 for four of five
 */
export function lateralJoins(
  name: string,
  open: () => Promise<JoinSubject>,
  leastCompared: number,
): void {
  describePostgres(`random joins with LATERAL, on ${name}`, () => {
    let subject: JoinSubject | undefined
    let engine: Engine
    let client: pg.Client

    beforeAll(async () => {
      client = new pg.Client({ connectionString: await createDatabase('lateral') })
      await client.connect()
      await client.query('create schema main')
      subject = await open()
      const { url, adapterPackage, connect } = subject
      for (const [table, rows] of Object.entries(joinTables)) {
        const columns = '(id integer primary key, n integer, m integer)'
        const values = rows.map((row) => `(${row.map(String).join(', ')})`).join(', ')
        await client.query(`create table main.${table} ${columns}`)
        await client.query(`insert into main.${table} values ${values}`)
        await subject.run(`create table ${table} ${columns}`)
        await subject.run(`insert into ${table} values ${values}`)
      }
      engine = await createEngine(
        { connections: { main: url }, limits: { maxRelationDepth: 100 } },
        { adapters: { [adapterPackage]: connect } },
      )
    })

    afterAll(async () => {
      await engine?.close()
      await client?.end()
      await subject?.remove()
    })

    test.each(seeds)('the rows are those of PostgreSQL, from seed %i on', async (first) => {
      let compared = 0
      for (let seed = first; seed < first + statementsPerTest; seed += 1) {
        const sql = randomJoins(seed)
        const expected = await rowsOfPostgres(sql)
        if (expected === undefined) continue
        const received = await rowsOfEngine(sql)
        if (received === 'refused') continue
        expect(received, `${seed}: ${sql}`).toEqual(expected)
        compared += 1
      }
      expect(compared).toBeGreaterThan(statementsPerTest * leastCompared)
    })

    /** Undefined where the statement is invalid. */
    async function rowsOfPostgres(sql: string): Promise<readonly string[] | undefined> {
      try {
        const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
        return normalized(rows)
      } catch (error) {
        if (error instanceof pg.DatabaseError) return undefined
        throw error
      }
    }

    async function rowsOfEngine(sql: string): Promise<readonly string[] | 'refused'> {
      const request = { sql, params: [], method: 'all', meta: true, signal: undefined } as const
      try {
        const { body } = await engine.query(request, anonymous)
        const answer = JSON.parse(Buffer.from(body).toString()) as { readonly rows: unknown[][] }
        return normalized(answer.rows)
      } catch (error) {
        if (error instanceof Error && 'problem' in error && error.problem === 'unsupported') {
          return 'refused'
        }
        throw error
      }
    }
  })
}

/** Rows in any order; large integers may come as texts or numbers. */
function normalized(rows: readonly (readonly unknown[])[]): readonly string[] {
  const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`)
  return rows.map((row) => row.map(cell).join(' | ')).toSorted()
}
