import {
  createPostgresReset,
  formatReport,
  openDirectPool,
  type ProgramReport,
  type ProgramSummary,
  type Setting,
  type Suite,
  suites,
} from '@engine/client-programs'
import type { Config } from '@engine/core'
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway, type TestGateway } from '../support/gateway.ts'
import { createMysqlShop, createPostgresShop, createSqliteShop } from '../support/shop.ts'

/** The database of the gateway. */
interface Subject {
  readonly connection: Config['connections'][string]
  /** Where the same programs run on PostgreSQL itself. */
  readonly directUrl: string
  /** Restores the rows of the subject; not needed where it is PostgreSQL itself. */
  readonly reset?: () => Promise<void>
  readonly remove?: () => Promise<void>
}

describePostgres('programs of real clients', () => {
  describe.each(suites.map((suite) => ({ name: suite.name, suite })))('$name', ({ suite }) => {
    const label = suite.name.replace(/\W/g, '').toLowerCase()

    describe('on PostgreSQL', () => {
      programTests(suite, 'postgres', async () => {
        const url = await createPostgresShop(`clients_${label}`)
        return { connection: { url, schema: 'main' }, directUrl: url }
      })
    })

    describe('on SQLite', () => {
      programTests(suite, 'other', async () => {
        const shop = createSqliteShop()
        return {
          connection: shop.path,
          directUrl: await createPostgresShop(`clients_${label}_direct`),
          reset: async () => shop.reset(),
          remove: async () => shop.remove(),
        }
      })
    })

    describeEachMysql('through the gateway', (server) => {
      programTests(suite, 'other', async () => {
        const shop = await createMysqlShop(server, `clients_${label}`)
        return {
          connection: shop.url,
          directUrl: await createPostgresShop(`clients_${label}_judge`, {
            like: 'mysql',
            texts: shop.texts,
          }),
          reset: shop.reset,
          remove: shop.close,
        }
      })
    })
  })
})

function programTests(
  suite: Suite,
  database: Setting['database'],
  open: () => Promise<Subject>,
): void {
  let subject: Subject
  let run: (program: ProgramSummary) => Promise<ProgramReport>
  let gateway: TestGateway
  let direct: pg.Pool
  let resetter: pg.Client

  beforeAll(async () => {
    subject = await open()
    const { connection, directUrl } = subject
    gateway = await openGateway({ connections: { main: connection } })
    direct = openDirectPool(directUrl)
    resetter = new pg.Client({ connectionString: directUrl })
    await resetter.connect()
    const resetPostgres = await createPostgresReset(resetter)
    run = suite.open({
      direct,
      gateway: { url: 'http://gateway.test', fetch: gateway.fetch },
      reset: async () => {
        await resetPostgres()
        await subject.reset?.()
      },
      database,
    })
  })
  afterAll(async () => {
    await gateway?.close()
    await direct?.end()
    await resetter?.end()
    await subject?.remove?.()
  })

  test.each(suite.programs.map((program) => ({ name: program.name, program })))(
    '$name',
    async ({ program }) => {
      const report = await run(program)
      expect(report.expected, formatReport([report])).toBe(true)
    },
  )
}
