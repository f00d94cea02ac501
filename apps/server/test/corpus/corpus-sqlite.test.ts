import { type CorpusSubject, openDirect } from '@engine/corpus'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { corpusTests } from '../support/corpus-tests.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { refusedOnSqlite } from '../support/refused-on-sqlite.ts'
import { createPostgresShop, createSqliteShop, type SqliteShop } from '../support/shop.ts'

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

  corpusTests({ subject: () => subject, refused: refusedOnSqlite })
})
