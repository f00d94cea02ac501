import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, createEngine, type Engine } from '@engine/core'
import { createDatabase as createPostgres, describePostgres } from '@engine/test-databases/vitest'
import Database from 'better-sqlite3'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '../src/index.ts'
import { joinTables, randomJoins } from './random-joins.ts'

const statementsPerTest = 50
const seeds = [1, 2, 3].map((first) => first * 1000)

describePostgres('random joins with LATERAL', () => {
  const directory = mkdtempSync(join(tmpdir(), 'engine-lateral-'))
  let engine: Engine
  let client: pg.Client

  beforeAll(async () => {
    client = new pg.Client({ connectionString: await createPostgres('lateral') })
    await client.connect()
    await client.query('create schema main')
    const url = join(directory, 'joins.db')
    const database = new Database(url)
    for (const [table, rows] of Object.entries(joinTables)) {
      const columns = '(id integer primary key, n integer, m integer)'
      const values = rows.map((row) => `(${row.map(String).join(', ')})`).join(', ')
      await client.query(`create table main.${table} ${columns}`)
      await client.query(`insert into main.${table} values ${values}`)
      database.exec(`create table ${table} ${columns}; insert into ${table} values ${values}`)
    }
    database.close()
    engine = await createEngine(
      { connections: { main: { url } } },
      { adapters: { '@engine/adapters-sqlite': connect } },
    )
  })

  afterAll(async () => {
    await engine?.close()
    await client?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  test.each(seeds)(
    'SQLite gives the rows that PostgreSQL gives, from seed %i on',
    async (first) => {
      let compared = 0
      for (let seed = first; seed < first + statementsPerTest; seed += 1) {
        const sql = randomJoins(seed)
        const expected = await rowsOfPostgres(sql)
        if (expected === undefined) continue
        const received = await rowsOfSqlite(sql)
        if (received === 'refused') continue
        expect(received, `${seed}: ${sql}`).toEqual(expected)
        compared += 1
      }
      expect(compared).toBeGreaterThan(statementsPerTest * 0.8)
    },
  )

  /** Undefined where the statement is none. */
  async function rowsOfPostgres(sql: string): Promise<readonly string[] | undefined> {
    try {
      const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
      return normalized(rows)
    } catch (error) {
      if (error instanceof pg.DatabaseError) return undefined
      throw error
    }
  }

  async function rowsOfSqlite(sql: string): Promise<readonly string[] | 'refused'> {
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

/** Rows in any order; large integers may come as texts or numbers. */
function normalized(rows: readonly (readonly unknown[])[]): readonly string[] {
  const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : `${value}`)
  return rows.map((row) => row.map(cell).join(' | ')).toSorted()
}
