import {
  type CorpusReport,
  type CorpusSubject,
  formatReport,
  openDirect,
  queryCases,
  rejectedCases,
  runCorpus,
  writeCases,
} from '@engine/corpus'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway, type TestGateway } from './support/gateway.ts'
import { refusedOnSqlite } from './support/refused-on-sqlite.ts'
import { createPostgresShop, createSqliteShop, type SqliteShop } from './support/shop.ts'

/**
 * SQLite's JSON columns are jsonb to the gateway. These statements ask what only holds for PostgreSQL's `json`: that it
 * cannot be compared, and keeps the spelling of what was stored.
 */
const aboutJsonType: ReadonlySet<string> = new Set([
  'json cannot be distinct',
  'json cannot be grouped',
  'json cannot be sorted',
  'json has no equality',
  'json column operators',
  'typeof samples',
])

const isComparable = ({ name }: { readonly name: string }) => !aboutJsonType.has(name)

/** Equal, or refused where it is known and clear: never another answer, never a 5xx. */
function verify(id: string, portable: boolean, report: CorpusReport): void {
  expect(report.wrong.length + report.serverErrors.length, formatReport(report)).toBe(0)
  const mayRefuse = !portable || refusedOnSqlite.has(id)
  if (!mayRefuse) expect(report.equal, formatReport(report)).toBe(1)
  if (portable && mayRefuse) expect(report.refused, `${id} is answered now`).toHaveLength(1)
}

describePostgres('PostgreSQL statements through the gateway to SQLite', () => {
  let gateway: TestGateway
  let client: pg.Client
  let shop: SqliteShop
  let subject: CorpusSubject

  beforeAll(async () => {
    shop = createSqliteShop()
    gateway = await openGateway({ connections: { main: shop.path } })
    client = new pg.Client({ connectionString: await createPostgresShop('corpus_sqlite') })
    await client.connect()
    subject = {
      direct: await openDirect(client),
      execute: async (sql, params, method) => gateway.data({ sql, params, method, meta: true }),
      reset: async () => shop.reset(),
    }
  })
  afterAll(async () => {
    await gateway?.close()
    await client?.end()
    shop?.remove()
  })

  test.each(
    queryCases
      .filter(isComparable)
      .map((query) => ({ id: `${query.group}: ${query.name}`, query })),
  )('$id', async ({ id, query }) => {
    verify(id, query.portable, await runCorpus(subject, { queries: [query] }))
  })
  test.each(
    rejectedCases
      .filter(isComparable)
      .map((rejected) => ({ id: `${rejected.group}: ${rejected.name}`, rejected })),
  )('refused: $id', async ({ rejected }) => {
    const report = await runCorpus(subject, { rejected: [rejected] })
    expect(report.equal, formatReport(report)).toBe(1)
  })
  test.each(
    writeCases
      .filter(isComparable)
      .map((write) => ({ id: `${write.group}: ${write.name}`, write })),
  )('writes: $id', async ({ id, write }) => {
    verify(id, write.portable, await runCorpus(subject, { writes: [write] }))
  })
})
