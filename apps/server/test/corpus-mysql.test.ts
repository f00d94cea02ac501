import { type CorpusSubject, openDirect } from '@engine/corpus'
import { describeMysql, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { corpusTests } from './support/corpus-tests.ts'
import { openGateway, type TestGateway } from './support/gateway.ts'
import { refusedOnMysql } from './support/refused-on-mysql.ts'
import { createMysqlShop, createPostgresShop, type MysqlShop } from './support/shop.ts'

describePostgres('with PostgreSQL as the judge', () => {
  describeMysql('PostgreSQL statements through the gateway to MariaDB', () => {
    let gateway: TestGateway
    let client: pg.Client
    let shop: MysqlShop
    let subject: CorpusSubject

    beforeAll(async () => {
      shop = await createMysqlShop('corpus')
      gateway = await openGateway({ connections: { main: shop.url } })
      const judge = await createPostgresShop('corpus_mysql', { like: 'mysql' })
      client = new pg.Client({ connectionString: judge })
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
      await shop?.close()
    })

    // What the server has prepared the first time it executes again the second time.
    corpusTests({ subject: () => subject, refused: refusedOnMysql, rounds: 2 })
  })
})
