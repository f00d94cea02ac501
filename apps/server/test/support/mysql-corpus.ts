/** @module The corpus on MariaDB and MySQL: every statement through a gateway, compared with PostgreSQL. */
import { type CorpusSubject, openDirect } from '@engine/corpus'
import type { MysqlTexts } from '@engine/fixtures'
import type { MysqlOfRun } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll } from 'vitest'
import { type CorpusTestOptions, corpusTests } from './corpus-tests.ts'
import { openGateway, type TestGateway } from './gateway.ts'
import { refusedOnMysql } from './refused-on-mysql.ts'
import { createMysqlShop, createPostgresShop, type MysqlShop } from './shop.ts'

/** @param texts how the database stores its texts; by default its own collation */
export function mysqlCorpusTests(
  server: MysqlOfRun,
  { texts, ...options }: Pick<CorpusTestOptions, 'rounds'> & { readonly texts?: MysqlTexts } = {},
): void {
  let gateway: TestGateway
  let client: pg.Client
  let shop: MysqlShop
  let subject: CorpusSubject

  beforeAll(async () => {
    shop = await createMysqlShop(server, 'corpus', texts)
    gateway = await openGateway({ connections: { main: shop.url } })
    const judge = await createPostgresShop('corpus_mysql', { like: 'mysql', texts: shop.texts })
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

  corpusTests({
    ...options,
    subject: () => subject,
    refused: refusedOnMysql[server.vendor],
    untranslatable: (id) => astralCodes.has(id) && !shop.holds('scratch', 'code', '😀'),
  })
}

/** What they write to `scratch.code` is beyond the first 65 536 characters of Unicode. */
const astralCodes: ReadonlySet<string> = new Set([
  'insert: every column',
  'update: text into a varchar',
  'constraints: length counts characters',
])
