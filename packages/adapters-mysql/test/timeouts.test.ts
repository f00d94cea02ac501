import { executionOf, type ServerSubject, serverTimeouts } from '@engine/adapter-conformance'
import { describeMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mysqlDialect, openMysqlServer } from './support/server.ts'
import { planOf } from './support/statements.ts'

describeMysql('timeouts and cancellation', () => {
  serverTimeouts(mysqlDialect, () => openMysqlServer('timeouts'))
})

describeMysql('timeouts of several steps', () => {
  let subject: ServerSubject

  beforeAll(async () => {
    subject = await openMysqlServer('steps')
  })
  afterAll(() => subject?.close())

  test('a plan has one limit for all of them', async () => {
    const adapter = subject.openAdapter({})
    const naps = Array.from({ length: 20 }, () => ({
      sql: 'select sleep(0.3)',
      yields: 'keep' as const,
    }))

    await expect(
      adapter.execute(
        executionOf(planOf(naps), [], { values: naps.map(() => []), timeoutMs: 500 }),
      ),
    ).rejects.toMatchObject({ problem: 'queryTimeout' })
    await adapter.close()
  })
})
