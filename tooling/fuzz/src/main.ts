/** @module `pnpm fuzz row-security|non-interference|databases [--seed N] [--count N] [--seconds N] ...` */
import { parseArgs } from 'node:util'
import { createDatabase, startPostgres } from '@engine/test-databases'
import { fuzzDatabases } from './runs/databases.ts'
import { fuzzNonInterference } from './runs/non-interference.ts'
import { formatReport, type RunReport } from './runs/report.ts'
import { fuzzRowSecurity } from './runs/row-security.ts'
import type { RunOptions } from './runs/session.ts'

const runs: Readonly<Record<string, (options: RunOptions) => Promise<RunReport>>> = {
  'row-security': fuzzRowSecurity,
  'non-interference': fuzzNonInterference,
  databases: fuzzDatabases,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    seconds: { type: 'string' },
    statement: { type: 'string' },
    mysql: { type: 'string' },
    'per-world': { type: 'string', default: '400' },
    'max-findings': { type: 'string', default: '10' },
    'no-minimise': { type: 'boolean', default: false },
  },
})

const [name = ''] = positionals
const run = runs[name]
if (run === undefined) {
  console.error(
    `usage: pnpm fuzz ${Object.keys(runs).join('|')} [--seed N] [--count N | --seconds N] [--statement N] [--mysql URL]`,
  )
  process.exit(2)
}
const number = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

const seed = number(values.seed) ?? Math.trunc(Math.random() * 1e9)
console.log(`seed ${seed}`)
const server = await startPostgres()
try {
  const report = await run({
    url: await createDatabase(server.url, 'fuzz'),
    mysqlUrl: values.mysql,
    seed,
    count: number(values.count),
    seconds: number(values.seconds),
    perWorld: Number(values['per-world']),
    only: number(values.statement),
    maxFindings: Number(values['max-findings']),
    minimise: !values['no-minimise'],
    onProgress: (text) => console.log(text),
  })
  console.log(formatReport(report))
  process.exitCode = report.findings.length > 0 ? 1 : 0
} finally {
  await server.stop()
}
