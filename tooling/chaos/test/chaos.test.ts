/** A short run of `pnpm chaos`, with a fixed seed. */
import { describeMysql, describePostgres } from '@engine/test-databases/vitest'
import { expect, test } from 'vitest'
import { formatReport, requestCount } from '../src/report.ts'
import { runChaos } from '../src/run-chaos.ts'

describePostgres('two nodes while everything fails around them', () => {
  describeMysql('mariadb', 'with MariaDB', () => {
    describeMysql('mysql', 'and MySQL among it', () => {
      test('no hang, no wrong answer, nothing lost, nothing twice, and all works again', {
        timeout: 240_000,
      }, async () => {
        const lines: string[] = []
        const report = await runChaos({
          seed: 7,
          service: 'postgres',
          seconds: 30,
          queryTimeoutMs: 3_000,
          // Tests run at the same time: steps that `pnpm chaos` measures at length may take longer here.
          marginMs: 20_000,
          recoveryMs: 10_000,
          settleMs: 1_000,
          longestFaultMs: 3_000,
          pauseMs: 400,
          tell: (line) => lines.push(line),
        })
        const told = `${lines.join('\n')}\n${formatReport(report)}`
        expect(report.findings, told).toEqual([])
        expect(report.recoveries.length, told).toBeGreaterThan(4)
        expect(requestCount(report), told).toBeGreaterThan(300)
        expect(report.comparedRows, told).toBeGreaterThan(20)
        expect(report.audit.acknowledged, told).toBeGreaterThan(30)
        expect(report.revoked, told).toBeGreaterThan(5)
      })
    })
  })
})
