/** The constructs that `pnpm fuzz planning` doubles: each means something, and those that planners take long for are limited. */
import { connect } from '@engine/adapters-postgres'
import { admin, createEngine, type Engine } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { constructs } from '../src/planning/constructs.ts'

describePostgres('statements of any size', () => {
  let engine: Engine
  beforeAll(async () => {
    const url = await createDatabase('planning')
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('create table t (id int primary key, n int, x text)')
    await client.end()
    engine = await createEngine(
      { connections: { main: { url } } },
      { adapters: { '@engine/adapters-postgres': connect } },
    )
  })
  afterAll(() => engine?.close())

  async function outcome(name: string, size: number): Promise<string> {
    const sql = constructs[name]?.(size, 'public.t') ?? ''
    const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
    return engine.query(request, admin).then(
      () => 'answered',
      (error: { readonly problem: string }) => error.problem,
    )
  }

  test.each(Object.keys(constructs))('%s: a few are answered', async (name) => {
    expect(await outcome(name, 8)).toBe('answered')
  })

  test.each<[string, number]>([
    ['windows', 64],
    ['partitions', 64],
    ['frames', 64],
    ['keys of ORDER BY', 512],
    ['keys of GROUP BY', 512],
    ['keys of DISTINCT ON', 512],
    ['keys of a window', 512],
    ['keys of an aggregate', 512],
  ])('%s: at most %i', async (name, most) => {
    expect(await outcome(name, most)).toBe('answered')
    expect(await outcome(name, most + 1)).toBe('limitExceeded')
  })
})
