import {
  type CorpusReport,
  type CorpusSubject,
  type DirectConnection,
  formatReport,
  openDirect,
  queryCases,
  rejectedCases,
  runCorpus,
  writeCases,
} from '@engine/corpus'
import { resetPostgresFixture, restartSequences } from '@engine/fixtures'
import { describeEachPostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { createPostgresShop } from '../support/shop.ts'

/** Every statement is answered as by the database itself; none is refused. */
function verify(report: CorpusReport): void {
  const { wrong, serverErrors, refused } = report
  expect(wrong.length + serverErrors.length + refused.length, formatReport(report)).toBe(0)
}

describeEachPostgres('PostgreSQL statements through the gateway', (server) => {
  let gateway: TestGateway
  let client: pg.Client
  let writer: pg.Client
  let subject: CorpusSubject

  beforeAll(async () => {
    const url = await createPostgresShop('corpus_pg', { server })
    const other = await createPostgresShop('corpus_pg_direct', { server })
    gateway = await openGateway({ connections: { main: { url, schema: 'main' } } })
    client = new pg.Client({ connectionString: other })
    writer = new pg.Client({ connectionString: url })
    await client.connect()
    await writer.connect()
    const direct: DirectConnection = await openDirect(client)
    subject = {
      direct,
      execute: async (sql, params, method) => gateway.data({ sql, params, method, meta: true }),
      reset: async () => {
        await resetPostgresFixture(writer)
        await restartSequences(writer)
      },
    }
  })
  afterAll(async () => {
    await gateway?.close()
    await client?.end()
    await writer?.end()
  })

  test.each(queryCases.map((query) => ({ id: `${query.group}: ${query.name}`, query })))(
    '$id',
    async ({ query }) => {
      verify(await runCorpus(subject, { queries: [query] }))
    },
  )
  test.each(
    rejectedCases.map((rejected) => ({ id: `${rejected.group}: ${rejected.name}`, rejected })),
  )('refused: $id', async ({ rejected }) => {
    const report = await runCorpus(subject, { rejected: [rejected] })
    expect(report.equal, formatReport(report)).toBe(1)
  })
  test.each(writeCases.map((write) => ({ id: `${write.group}: ${write.name}`, write })))(
    'writes: $id',
    async ({ write }) => {
      verify(await runCorpus(subject, { writes: [write] }))
    },
  )
})
