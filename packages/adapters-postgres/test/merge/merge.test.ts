import { anonymous, createEngine, type Engine, GatewayError } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client, DatabaseError } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { connect } from '../../src/index.ts'
import {
  accepted,
  failing,
  mergeNames,
  mergeRows,
  mergeTables,
  type Statement,
} from './statements.ts'

const withParams = ([sql, params = []]: Statement) => [sql, params] as const

const adapters = { '@engine/adapters-postgres': connect }

interface Outcome {
  readonly count: number | undefined
  readonly sqlState: string | undefined
  readonly tables: unknown
}

describePostgres('MERGE, compared with PostgreSQL itself', () => {
  let engine: Engine
  let ours: Client
  let plain: Client
  beforeAll(async () => {
    const url = await createDatabase('merge')
    ours = new Client({ connectionString: url })
    plain = new Client({ connectionString: await createDatabase('merge_plain') })
    await ours.connect()
    await ours.query(mergeTables)
    await plain.connect()
    await plain.query(`create schema main; set search_path to main; ${mergeTables}`)
    engine = await createEngine({ connections: { main: url } }, { adapters })
  })
  afterAll(async () => {
    await engine.close()
    await ours.end()
    await plain.end()
  })
  beforeEach(async () => {
    await ours.query(mergeRows)
    await plain.query(mergeRows)
  })

  const tablesOf = async (client: Client) => {
    const contents = mergeNames.map(async (name) => {
      const { rows } = await client.query(`select * from ${name} x order by x`)
      return [name, rows] as const
    })
    return Object.fromEntries(await Promise.all(contents))
  }
  const ask = async (sql: string, params: readonly unknown[]) => {
    const request = { sql, params, method: 'run', meta: true, signal: undefined } as const
    const { body } = await engine.query(request, anonymous)
    return (JSON.parse(String(body)) as { readonly rowCount: number }).rowCount
  }
  const outcome = async (client: Client, run: () => Promise<number | null>): Promise<Outcome> => {
    let count: number | null | undefined
    let sqlState: string | undefined
    try {
      count = await run()
    } catch (error) {
      if (error instanceof GatewayError) sqlState = error.sqlState
      else if (error instanceof DatabaseError) sqlState = error.code
      if (sqlState === undefined) throw error
    }
    return { count: count ?? undefined, sqlState, tables: await tablesOf(client) }
  }
  const both = async (sql: string, params: readonly unknown[] = []) => ({
    expected: await outcome(plain, async () => (await plain.query(sql, [...params])).rowCount),
    answer: await outcome(ours, () => ask(sql, params)),
  })

  test.each(accepted.map(withParams))('%s', async (sql, params) => {
    const { expected, answer } = await both(sql, params)
    expect(expected.sqlState).toBeUndefined()
    expect(answer).toEqual(expected)
  })

  describe('fails alike', () => {
    test.each(failing.map(withParams))('%s', async (sql, params) => {
      const { expected, answer } = await both(sql, params)
      expect(expected.sqlState).toBeDefined()
      expect(answer).toEqual(expected)
    })
  })
  test('BY TARGET of PostgreSQL 17 is what NOT MATCHED means', async () => {
    const merge = (words: string) =>
      `merge into main.t using main.s on t.id = s.id when not matched ${words} then insert (id) values (s.id)`
    expect(await ask(merge('by target'), [])).toBe(2)
    await plain.query(merge(''))
    expect(await tablesOf(ours)).toEqual(await tablesOf(plain))
  })

  test.each([
    ['merge into main.t using main.s on t.id = s.id when not matched by source then delete'],
    ['merge into main.t using main.s on t.id = s.id when matched then delete returning t.id'],
    ['with x as (merge into main.t using main.s on t.id = s.id when matched then delete) select 1'],
    [
      'with x as (delete from main.t returning id) merge into main.t using x on t.id = x.id when matched then delete',
    ],
    ['merge into main.t using main.s on random() < 0.5 when matched then delete'],
    ['merge into main.t using main.s on t.id = s.id when matched and random() < 0.5 then delete'],
    [
      'merge into main.t using main.s on t.id = s.id when not matched and random() < 0.5 then insert (id) values (s.id)',
    ],
    ['merge into main.seen using main.s on seen.id = s.id when matched then delete'],
  ])('is refused: %s', async (sql) => {
    await expect(ask(sql, [])).rejects.toMatchObject({ sqlState: '0A000' })
    expect(await tablesOf(ours)).toEqual(await tablesOf(plain))
  })

  test('volatile values are computed once for each row', async () => {
    const sql = `merge into main.t using (select id, random() as r from main.s) s on t.id = s.id
      when matched then update set name = s.r || ':' || s.r, v = random() * 0
      when not matched then insert (id, name) values (s.id, s.r || ':' || s.r)`
    expect(await ask(sql, [])).toBe(4)
    const { rows } = await ours.query("select name from t where name like '%:%'")
    const halves = rows.map(({ name }) => String(name).split(':'))
    expect(halves).toHaveLength(4)
    for (const [left, right] of halves) expect(left).toBe(right)
  })

  test('a row that another transaction stored meanwhile is a conflict', async () => {
    await ours.query('begin')
    await ours.query('insert into t (id) values (9)')
    const merging = ask(
      'merge into main.t using (values (9)) as s(id) on t.id = s.id when matched then delete when not matched then insert (id) values (s.id)',
      [],
    )
    const outcome = expect(merging).rejects.toMatchObject({ sqlState: '23505' })
    await vi.waitFor(
      async () => {
        const waiting = `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`
        expect((await ours.query(waiting)).rows).toHaveLength(1)
      },
      { timeout: 15_000 },
    )
    await ours.query('commit')
    await outcome
  })
  test('more than 20 clauses are too many', async () => {
    const clause = 'when matched and false then delete '
    const merge = (count: number) =>
      `merge into main.t using main.s on t.id = s.id ${clause.repeat(count)}`
    expect(await ask(merge(20), [])).toBe(0)
    await expect(ask(merge(21), [])).rejects.toMatchObject({ sqlState: '54001' })
  })
})
