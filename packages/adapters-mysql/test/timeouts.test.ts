import { executionOf, type ServerSubject, serverTimeouts } from '@engine/adapter-conformance'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mysqlDialect, openMysqlServer } from './support/server.ts'
import { planOf } from './support/statements.ts'

describeEachMysql('timeouts and cancellation', (server) => {
  serverTimeouts(mysqlDialect, () => openMysqlServer(server, 'timeouts'))
})

describeEachMysql('timeouts of several steps', (server) => {
  let subject: ServerSubject

  beforeAll(async () => {
    subject = await openMysqlServer(server, 'steps')
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
