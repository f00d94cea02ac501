import { createPostgresFixture, resetPostgresFixture } from '@engine/fixtures'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type CorpusAnswer,
  type CorpusSubject,
  compareRows,
  type DirectConnection,
  describeStatement,
  expectedRows,
  formatReport,
  type JsonValue,
  openDirect,
  queryCases,
  queryDirect,
  rejectedCases,
  runCorpus,
  sqlstateOf,
  writeCases,
  writeDirect,
} from '../src/index.ts'

/**
 * Two databases with the same rows, stored in opposite orders: where both give the same answer, it does not depend on
 * chance. The second one replaces a subject that answers like PostgreSQL.
 */
describePostgres('the corpus', () => {
  let ascending: DirectConnection
  let descending: DirectConnection

  beforeAll(async () => {
    ascending = await connect('ascending')
    descending = await connect('descending')
    await descending.client.query(`set enable_hashjoin = off; set enable_hashagg = off;
      set work_mem = '64kB'`)
  })

  afterAll(async () => {
    for (const { client } of [ascending, descending]) await (client as pg.Client).end()
  })

  test('PostgreSQL answers every query, and its rows do not depend on how they are stored', async () => {
    const report = await runCorpus(subject(ascending, descending), { queries: queryCases })
    expect(formatReport(report)).toContain(`${queryCases.length} equal`)
  }, 60_000)

  test('PostgreSQL refuses every rejected statement for the recorded reason', async () => {
    const surprises: string[] = []
    for (const { group, name, sql, params, sqlstate } of rejectedCases) {
      const state = await stateOf(ascending, sql, params)
      // Only the class: a few codes differ between major versions.
      if (state.slice(0, 2) !== sqlstate.slice(0, 2)) {
        surprises.push(`${group}: ${name}: ${state}, not ${sqlstate}`)
      }
    }
    expect(surprises).toEqual([])
  })

  test('PostgreSQL runs every write, and refuses the steps that it should', async () => {
    const surprises: string[] = []
    for (const writeCase of writeCases) {
      const outcome = await writeDirect(ascending, writeCase)
      const other = await writeDirect(descending, writeCase)
      const difference = compareRows(outcome.check, other.check, true)
      if (difference !== undefined) surprises.push(`${writeCase.name}: ${difference}`)
      for (const [index, { sqlstate }] of writeCase.steps.entries()) {
        const [step, twin] = [outcome.steps[index], other.steps[index]]
        const state = step?.kind === 'refused' ? step.sqlstate : undefined
        if (state !== sqlstate) surprises.push(`${writeCase.name}, step ${index}: ${state}`)
        if (step?.kind === 'rows' && twin?.kind === 'rows') {
          const strange = compareRows(step.rows, twin.rows, false)
          if (strange !== undefined) surprises.push(`${writeCase.name}, step ${index}: ${strange}`)
        }
      }
    }
    expect(surprises).toEqual([])
  }, 60_000)

  test('a subject that writes for good is put back before each case', async () => {
    const writes = writeCases.filter((_, index) => index % 8 === 0)
    const report = await runCorpus(subject(ascending, descending), { writes })
    expect(formatReport(report)).toContain(`${writes.length} equal`)
  }, 60_000)

  test('wrong rows, wrong names, refusals and server errors are distinguished', async () => {
    const queries = queryCases.filter(({ group }) => group === 'limits').slice(0, 4)
    const answers: readonly CorpusAnswer[] = [
      { status: 200, body: { rows: [[0]] } },
      { status: 400, body: { error: 'BAD_REQUEST', message: 'no', correlation_id: 'c' } },
      { status: 500, body: { error: 'INTERNAL_ERROR', message: 'no', correlation_id: 'c' } },
      { status: 408, body: { error: 'QUERY_TIMEOUT', message: 'no', correlation_id: 'c' } },
    ]
    let index = -1
    const execute = async (): Promise<CorpusAnswer> => {
      index += 1
      return answers[index] ?? { status: 200, body: {} }
    }
    const report = await runCorpus({ direct: ascending, execute }, { queries })
    expect(report.equal).toBe(0)
    expect(report.wrong.map(({ id }) => id)).toEqual(
      [queries[0], queries[3]].map((query) => `limits: ${query?.name}`),
    )
    expect(report.refused).toMatchObject([{ status: 400, portable: true }])
    expect(report.serverErrors).toHaveLength(1)
  })

  test('rows for a statement that PostgreSQL refuses are wrong', async () => {
    const execute = async (): Promise<CorpusAnswer> => ({ status: 200, body: { rows: [] } })
    const rejected = rejectedCases.slice(0, 3)
    const report = await runCorpus({ direct: ascending, execute }, { rejected })
    expect(report.wrong).toHaveLength(3)
  })

  test('parameters go to PostgreSQL as the type of their place wants them', async () => {
    const sql = 'select $1::jsonb, $2::text[], $3::bytea, $4::int8'
    const bytes = { type: 'Buffer', data: [1, 255] }
    expect(
      await expectedRows(ascending, sql, [[1, { a: null }], ['x"y', null, 'a,b'], bytes, 5]),
    ).toEqual([[[1, { a: null }], ['x"y', null, 'a,b'], '\\x01ff', '5']])
    expect(await describeStatement(ascending, sql)).toEqual({
      parameterOids: [3802, 1009, 17, 20],
    })
  })

  test('names and types of the columns are returned, duplicates too', async () => {
    const { columns } = await queryDirect(ascending, `select 1 as a, 'x' as a, count(*)`)
    expect(columns).toEqual([
      { name: 'a', oid: 23 },
      { name: 'a', oid: 25 },
      { name: 'count', oid: 20 },
    ])
  })

  async function connect(rowOrder: 'ascending' | 'descending'): Promise<DirectConnection> {
    const url = await createDatabase(`corpus ${rowOrder}`)
    await createPostgresFixture(url, 'main', { rowOrder })
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    return openDirect(client)
  }
})

function subject(direct: DirectConnection, other: DirectConnection): CorpusSubject {
  return {
    direct,
    execute: async (sql, params) => {
      try {
        const { rows, columns } = await queryDirect(other, sql, params)
        return { status: 200, body: { rows, columns } }
      } catch (error) {
        const body = { error: sqlstateOf(error), message: String(error), correlation_id: 'none' }
        return { status: 400, body }
      }
    },
    reset: () => resetPostgresFixture(other.client, 'main', { rowOrder: 'descending' }),
  }
}

/** The SQLSTATE of a refusal, or `accepted`; the effects of the statement are rolled back. */
async function stateOf(
  direct: DirectConnection,
  sql: string,
  params: readonly JsonValue[],
): Promise<string> {
  await direct.client.query('begin')
  try {
    await queryDirect(direct, sql, params)
    return 'accepted'
  } catch (error) {
    return sqlstateOf(error)
  } finally {
    await direct.client.query('rollback')
  }
}
