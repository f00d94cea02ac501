/** What keeps permissions affordable: a restricted table is still found by its key. */

import { connect } from '@engine/adapters-postgres'
import type { CompiledStatement } from '@engine/core'
import { type Adapter, createEngine } from '@engine/core'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from './support/databases.ts'
import { adapters } from './support/gateway.ts'

const setUp = `
create table documents (id integer primary key, tenant text not null, owner integer not null, title text, size numeric);
create index on documents (tenant);
create table members (tenant text not null, who text not null, primary key (tenant, who));
insert into documents select i, 't' || i % 50, i % 500, 'title ' || i, i from generate_series(1, 20000) i;
insert into members select 't' || i, 'ada' from generate_series(0, 3) i;
analyze;`

const mine = { tenant: '$user.tenant' }
const member = {
  $exists: { table: 'main.members', where: { who: '$user.name', tenant: { $outer: 'tenant' } } },
}

const caller = {
  kind: 'user',
  id: 'ada',
  roles: ['r'],
  fields: { tenant: 't1', name: 'ada' },
} as const

describePostgres('a restricted table is found by its key', () => {
  let database: TestDatabase
  let client: pg.Client
  beforeAll(async () => {
    database = await openPostgres(setUp)
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query('set enable_seqscan = on')
  })
  afterAll(async () => {
    await client?.end()
    await database?.remove()
  })

  /** The SQL that the adapter prints for a statement. */
  async function printed(where: unknown, sql: string): Promise<string> {
    const compiled: CompiledStatement[] = []
    const spying = (...options: Parameters<typeof connect>): Adapter => {
      const adapter = connect(...options)
      return {
        ...adapter,
        compile: (statement) => {
          const result = adapter.compile(statement)
          compiled.push(result)
          return result
        },
      }
    }
    const engine = await createEngine(
      {
        connections: { main: database.url },
        permissions: {
          p: {
            table: 'main.documents',
            roles: ['r'],
            select: { where: where as Record<string, unknown> },
            update: {},
            delete: {},
          },
        },
      },
      { adapters: { ...adapters, '@engine/adapters-postgres': spying } },
    )
    try {
      const request = { sql, params: [5], method: 'all', meta: false, signal: undefined } as const
      await engine.query(request, caller)
    } finally {
      await engine.close()
    }
    return compiled[0]?.steps[0]?.sql ?? ''
  }

  /** How PostgreSQL runs it, whatever the parameters are. */
  async function planOf(where: unknown, sql: string): Promise<string> {
    const text = await printed(where, sql)
    await client.query('begin')
    try {
      await client.query("set local plan_cache_mode = 'force_generic_plan'")
      await client.query(`prepare p as ${text}`)
      const count = [...text.matchAll(/\$(\d+)/g)].reduce(
        (most, [, n]) => Math.max(most, Number(n)),
        0,
      )
      const values = Array.from({ length: count }, () => 'null').join(', ')
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain (costs off) execute p${count === 0 ? '' : `(${values})`}`,
      )
      return rows.map((row) => row['QUERY PLAN']).join('\n')
    } finally {
      await client.query('rollback')
      await client.query('deallocate all')
    }
  }

  const plain = 'select title from main.documents where id = $1'
  const leaky =
    "select title from main.documents where id = $1 and size / 2 > 1 and title like 't%'"

  test.each([
    ['equality', mine],
    ['membership', member],
  ])('%s: without a barrier', async (_, where) => {
    expect(await printed(where, plain)).not.toContain('offset 0')
    const plan = await planOf(where, plain)
    expect(plan).toMatch(/Index Scan using documents_pkey/)
    expect(plan).not.toMatch(/Seq Scan on documents/)
  })

  test.each([
    ['equality', mine],
    ['membership', member],
  ])('%s: with a barrier', async (_, where) => {
    expect(await printed(where, leaky)).toContain('offset 0')
    const plan = await planOf(where, leaky)
    expect(plan).toMatch(/Index Scan using documents_pkey/)
    expect(plan).not.toMatch(/Seq Scan on documents/)
  })

  test.each([
    'update main.documents set title = lower(title) where id = $1 and size / 2 > 1',
    'delete from main.documents where id = $1 and size / 2 > 1',
  ])('so do writes: %s', async (sql) => {
    const plan = await planOf(mine, sql)
    expect(plan).toMatch(/documents_pkey/)
    expect(plan).not.toMatch(/Seq Scan on documents/)
  })

  test('conditions of a policy use an index of their own', async () => {
    const plan = await planOf(mine, 'select count(*) from main.documents where size > $1')
    expect(plan).toMatch(/documents_tenant_idx/)
  })
})
