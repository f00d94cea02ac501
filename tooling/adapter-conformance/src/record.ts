/**
 * @module Records the answers of a real PostgreSQL, for `recordedTests`. Only queries with short answers that do not
 * depend on the database's range of timestamps; some of each group of the corpus.
 *
 *   node --conditions=@engine/source src/record.ts
 */
import { writeFileSync } from 'node:fs'
import { compareRows, openDirect, type QueryCase, queryCases, queryDirect } from '@engine/corpus'
import { createPostgresFixture } from '@engine/fixtures'
import { createDatabase } from '@engine/test-databases'
import pg from 'pg'
import { type Json, type RecordedQuery, recording } from './recorded-query.ts'

/** Queries of one group. */
const mostPerGroup = 12

/** Maximum characters of the rows of one query. */
const longestAnswer = 1_500

/**
 * Runs the corpus on a PostgreSQL.
 *
 * @param serverUrl of a role that may create databases
 */
export async function record(serverUrl: string): Promise<readonly RecordedQuery[]> {
  const whole = await openShop(serverUrl)
  const limited = await openShop(serverUrl, 'mysql')
  const perGroup = new Map<string, number>()
  const recorded: RecordedQuery[] = []
  for (const query of queryCases.filter(({ portable }) => portable)) {
    const count = perGroup.get(query.group) ?? 0
    if (count === mostPerGroup || isAboutJsonType(query)) continue
    const rows = await whole.rows(query)
    if (JSON.stringify(rows).length > longestAnswer) continue
    if (compareRows(rows, await limited.rows(query), query.ordered) !== undefined) continue
    perGroup.set(query.group, count + 1)
    const { group, name, sql, params, ordered } = query
    recorded.push({ id: `${group}: ${name}`, sql, params, ordered, rows })
  }
  await whole.close()
  await limited.close()
  return recorded
}

/** Types that only PostgreSQL distinguishes: `json` and `jsonb`. */
function isAboutJsonType({ name }: QueryCase): boolean {
  return name === 'json column operators' || name === 'typeof samples'
}

interface Shop {
  rows(query: QueryCase): Promise<readonly (readonly Json[])[]>
  close(): Promise<void>
}

async function openShop(serverUrl: string, like?: 'mysql'): Promise<Shop> {
  const url = await createDatabase(serverUrl, 'record')
  await createPostgresFixture(url, 'main', like === undefined ? {} : { like })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const direct = await openDirect(client)
  return {
    rows: async ({ sql, params }) => (await queryDirect(direct, sql, params)).rows,
    close: () => client.end(),
  }
}

/** One line for each query, so that a change shows as one line. */
export function writeRecording(queries: readonly RecordedQuery[]): void {
  writeFileSync(recording, queries.map((query) => `${JSON.stringify(query)}\n`).join(''))
}
