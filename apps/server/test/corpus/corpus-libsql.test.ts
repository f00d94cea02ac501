import {
  type CorpusReport,
  type CorpusSubject,
  formatReport,
  openDirect,
  queryCases,
  runCorpus,
  writeCases,
} from '@engine/corpus'
import { describeLibsql, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { createLibsqlShop, type LibsqlShop } from '../support/libsql-shop.ts'
import { createPostgresShop } from '../support/shop.ts'

/**
 * A server has no functions of ours: this number of statements works without them. It may increase, but must not
 * decrease.
 */
const answered = { queries: 1_000, writes: 120 } as const

/** The whole corpus takes longer than the time limit of a test: it is one test, since the order does not matter. */
const timeoutMs = 240_000

describePostgres('with PostgreSQL as the judge', () => {
  describeLibsql('PostgreSQL statements through the gateway to libSQL', () => {
    let gateway: TestGateway
    let client: pg.Client
    let shop: LibsqlShop
    let subject: CorpusSubject

    beforeAll(async () => {
      shop = await createLibsqlShop()
      gateway = await openGateway({ connections: { main: shop.url } })
      client = new pg.Client({ connectionString: await createPostgresShop('corpus_libsql') })
      await client.connect()
      subject = {
        direct: await openDirect(client),
        execute: async (sql, params, method) => gateway.data({ sql, params, method, meta: true }),
        reset: () => shop.reset(),
      }
    })
    afterAll(async () => {
      await gateway?.close()
      await client?.end()
      await shop?.stop()
    })

    /** Equal or clearly refused: never another answer, never a 5xx. */
    const verify = (report: CorpusReport, least: number) => {
      expect(report.wrong.length + report.serverErrors.length, formatReport(report)).toBe(0)
      expect(report.equal).toBeGreaterThanOrEqual(least)
    }

    test(
      'queries',
      async () => verify(await runCorpus(subject, { queries: queryCases }), answered.queries),
      timeoutMs,
    )
    test(
      'writes',
      async () => verify(await runCorpus(subject, { writes: writeCases }), answered.writes),
      timeoutMs,
    )
  })
})
