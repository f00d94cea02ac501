import {
  createPostgresReset,
  formatReport,
  openDirectPool,
  type ProgramReport,
  type ProgramSummary,
  type Setting,
  suites,
} from '@engine/client-programs'
import { describePostgres } from '@engine/test-databases/vitest'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openGateway, type TestGateway } from './support/gateway.ts'
import { createPostgresShop, createSqliteShop, type SqliteShop } from './support/shop.ts'

describePostgres('programs of real clients', () => {
  describe.each(suites.map((suite) => ({ name: suite.name, suite })))('$name', ({ suite }) => {
    const label = suite.name.replace(/\W/g, '').toLowerCase()

    describe('on PostgreSQL', () => {
      let run: (program: ProgramSummary) => Promise<ProgramReport>
      let gateway: TestGateway
      let direct: pg.Pool
      let resetter: pg.Client

      beforeAll(async () => {
        const url = await createPostgresShop(`clients_${label}`)
        gateway = await openGateway({ connections: { main: { url, schema: 'main' } } })
        direct = openDirectPool(url)
        resetter = new pg.Client({ connectionString: url })
        await resetter.connect()
        const reset = await createPostgresReset(resetter)
        run = suite.open(settingOf(gateway, direct, reset, 'postgres'))
      })
      afterAll(async () => {
        await gateway?.close()
        await direct?.end()
        await resetter?.end()
      })

      test.each(suite.programs.map((program) => ({ name: program.name, program })))(
        '$name',
        async ({ program }) => {
          const report = await run(program)
          expect(report.expected, formatReport([report])).toBe(true)
        },
      )
    })

    describe('on SQLite', () => {
      let run: (program: ProgramSummary) => Promise<ProgramReport>
      let gateway: TestGateway
      let direct: pg.Pool
      let resetter: pg.Client
      let shop: SqliteShop

      beforeAll(async () => {
        const url = await createPostgresShop(`clients_${label}_direct`)
        shop = createSqliteShop()
        gateway = await openGateway({ connections: { main: shop.path } })
        direct = openDirectPool(url)
        resetter = new pg.Client({ connectionString: url })
        await resetter.connect()
        const resetPostgres = await createPostgresReset(resetter)
        const reset = async () => {
          await resetPostgres()
          shop.reset()
        }
        run = suite.open(settingOf(gateway, direct, reset, 'other'))
      })
      afterAll(async () => {
        await gateway?.close()
        await direct?.end()
        await resetter?.end()
        shop?.remove()
      })

      test.each(suite.programs.map((program) => ({ name: program.name, program })))(
        '$name',
        async ({ program }) => {
          const report = await run(program)
          expect(report.expected, formatReport([report])).toBe(true)
        },
      )
    })
  })
})

function settingOf(
  gateway: TestGateway,
  direct: pg.Pool,
  reset: () => Promise<void>,
  database: Setting['database'],
): Setting {
  return {
    direct,
    gateway: { url: 'http://gateway.test', fetch: gateway.fetch },
    reset,
    database,
  }
}
