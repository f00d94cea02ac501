/**
 * Short runs of the fuzzers, the same for each commit: `pnpm nightly` draws new ones. A finding prints the minimised
 * statement, and how to reproduce it.
 */
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { expect, test } from 'vitest'
import { fuzzCheckedWrites } from '../src/runs/checked-writes.ts'
import { fuzzDatabases } from '../src/runs/databases.ts'
import { fuzzNonInterference } from '../src/runs/non-interference.ts'
import { formatReport, type RunReport } from '../src/runs/report.ts'
import { fuzzRowSecurity } from '../src/runs/row-security.ts'
import type { RunOptions } from '../src/runs/session.ts'

const runs: readonly {
  readonly name: string
  readonly run: (options: RunOptions) => Promise<RunReport>
  readonly count: number
}[] = [
  { name: 'row-security', run: fuzzRowSecurity, count: 300 },
  { name: 'non-interference', run: fuzzNonInterference, count: 900 },
  { name: 'databases', run: fuzzDatabases, count: 300 },
]

const seeds = [1, 555_956_241]
const cases = runs.flatMap((each) => seeds.map((seed) => ({ ...each, seed })))

describePostgres('random statements', () => {
  test.each(cases)('$name from seed $seed on', { timeout: 240_000 }, async (each) => {
    const report = await each.run({
      url: await createDatabase(`fuzz ${each.name}`),
      mysqlUrl: undefined,
      seed: each.seed,
      count: each.count,
      seconds: 40,
      perWorld: 75,
      only: undefined,
      maxFindings: 3,
      minimise: true,
      onProgress: () => undefined,
    })

    expect(report.findings.length, formatReport(report)).toBe(0)
    expect(report.equal).toBeGreaterThan(report.statements / 3)
  })

  test.each(seeds)('checked-writes from seed %i on', { timeout: 240_000 }, async (seed) => {
    const report = await fuzzCheckedWrites({
      url: await createDatabase('fuzz checked-writes'),
      mysqlUrl: undefined,
      seed,
      count: 60,
      seconds: 10,
      perWorld: 15,
      only: undefined,
      maxFindings: 3,
      minimise: true,
      onProgress: () => undefined,
    })

    expect(report.findings.length, formatReport(report)).toBe(0)
    expect(report.statements).toBeGreaterThan(0)
  })

  test('nearly all of them mean something to PostgreSQL', async () => {
    const report = await fuzzDatabases({
      url: await createDatabase('fuzz acceptance'),
      mysqlUrl: undefined,
      seed: 2,
      count: 120,
      seconds: undefined,
      perWorld: 30,
      only: undefined,
      maxFindings: 1,
      minimise: false,
      onProgress: () => undefined,
    })

    expect(report.acceptedByPostgres).toBeGreaterThan(report.statements * 0.9)
  })
})

describePostgres('random statements on PostgreSQL, SQLite', () => {
  describeEachMysql('and', (server) => {
    test.each(seeds)('non-interference from seed %i on', { timeout: 240_000 }, async (seed) => {
      const mysqlUrl = new URL(await server.createDatabase('fuzz'))
      mysqlUrl.pathname = '/'
      const report = await fuzzNonInterference({
        url: await createDatabase('fuzz mysql'),
        mysqlUrl: mysqlUrl.href,
        seed,
        count: 450,
        seconds: 40,
        perWorld: 25,
        only: undefined,
        maxFindings: 3,
        minimise: true,
        onProgress: () => undefined,
      })

      expect(report.findings.length, formatReport(report)).toBe(0)
    })
  })
})
