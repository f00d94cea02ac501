/** Rows of the last days are found by their index, also with a row filter. */
import { connect } from '@engine/adapters-postgres'
import { createEngine, type Engine } from '@engine/core'
import type { Execution } from '@engine/core/adapter'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres, type TestDatabase } from '../support/databases.ts'

const setUp = `
create table events (id integer primary key, tenant text not null, made timestamptz, changed timestamp, day date);
create index events_made_idx on events (made);
create index events_changed_idx on events (changed);
create index events_day_idx on events (day);
insert into events select i, 't' || i % 5, now() - i * interval '1 hour', localtimestamp - i * interval '1 hour',
  current_date - i / 24 from generate_series(1, 20000) i;
analyze;`

const caller = { kind: 'user', id: 'ada', roles: ['r'], fields: { tenant: 't1' } } as const

describePostgres('rows of the last days', () => {
  let database: TestDatabase
  let client: pg.Client
  let engine: Engine
  const executions: Execution[] = []
  beforeAll(async () => {
    database = await openPostgres(setUp)
    client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const events = {
      table: 'main.events',
      roles: ['r'],
      select: { where: { tenant: '$user.tenant', made: { $gt: { $now: '-1 year' } } } },
    }
    engine = await createEngine(
      { connections: { main: database.url }, permissions: { events } },
      {
        adapters: {
          '@engine/adapters-postgres': (options) => {
            const adapter = connect(options)
            return {
              ...adapter,
              execute: (execution) => {
                executions.push(execution)
                return adapter.execute(execution)
              },
            }
          },
        },
      },
    )
  })
  afterAll(async () => {
    await engine?.close()
    await client?.end()
    await database?.remove()
  })

  test.each([
    ["made > now() - interval '7 days'", 'events_made_idx', 7 * 24],
    ["made between now() - interval '2 days' and now()", 'events_made_idx', 2 * 24],
    ["changed > now() - interval '7 days'", 'events_changed_idx', 7 * 24],
    ["changed >= current_date - interval '1 month' + interval '30 days'", 'events_changed_idx', 48],
    ['day > current_date - 7', 'events_day_idx', 7 * 24],
  ])('%s', async (condition, index, most) => {
    const sql = `select id from main.events where ${condition}`
    const { rowCount } = await engine.query(
      { sql, params: [], method: 'all', meta: false, signal: undefined },
      caller,
    )
    expect(rowCount).toBeLessThanOrEqual(most / 5 + 6)
    const execution = executions.at(-1)
    const text = execution?.statement.steps[0]?.sql ?? ''
    expect(text).not.toContain('offset 0')
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${text}`, [
      ...(execution?.values[0] ?? []),
    ])
    expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index)
  })
})
