/** @module `pnpm fuzz row-security|non-interference|checked-writes|databases|nesting|planning`: see the README. */
import { parseArgs } from 'node:util'
import { createDatabase, startMysql, startPostgres } from '@engine/test-databases'
import { measureNesting } from './nesting/measure.ts'
import { type Planner, planners, runPlanning } from './planning/run-planning.ts'
import { fuzzCheckedWrites } from './runs/checked-writes.ts'
import { fuzzDatabases } from './runs/databases.ts'
import { fuzzNonInterference } from './runs/non-interference.ts'
import { formatReport, mergeReports, type RunReport } from './runs/report.ts'
import { fuzzRowSecurity } from './runs/row-security.ts'
import type { RunOptions } from './runs/session.ts'

const runs: Readonly<Record<string, (options: RunOptions) => Promise<RunReport>>> = {
  'row-security': fuzzRowSecurity,
  'non-interference': fuzzNonInterference,
  'checked-writes': fuzzCheckedWrites,
  databases: fuzzDatabases,
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string' },
    count: { type: 'string' },
    seconds: { type: 'string' },
    statement: { type: 'string' },
    printer: { type: 'string' },
    only: { type: 'string' },
    lanes: { type: 'string', default: '1' },
    mysql: { type: 'string' },
    database: { type: 'string', default: 'postgres' },
    'most-ms': { type: 'string', default: '5000' },
    'per-world': { type: 'string', default: '400' },
    'max-findings': { type: 'string', default: '10' },
    'no-minimise': { type: 'boolean', default: false },
  },
})

const [name = ''] = positionals
if (name === 'nesting') {
  await measureNesting({
    seed: Number(values.seed ?? 1),
    mixtures: Number(values.count ?? 200),
    printer: values.printer,
    only: values.only,
    onProgress: (text) => console.log(text),
  })
  process.exit()
}
if (name === 'planning' && planners.includes(values.database as Planner)) {
  const findings = await runPlanning(
    values.database as Planner,
    Number(values['most-ms']),
    values.only ?? '',
  )
  console.log(`${findings.length} findings`)
  for (const finding of findings) console.log(`  ${finding}`)
  process.exit(findings.length === 0 ? 0 : 1)
}
const run = runs[name]
if (run === undefined) {
  console.error(`usage: pnpm fuzz ${[...Object.keys(runs), 'nesting'].join('|')} [--seed N] [--count N | --seconds N]
  [--statement N] [--lanes N] [--mysql URL|mariadb|mysql] [--per-world N] [--max-findings N] [--no-minimise]
  pnpm fuzz nesting [--seed N] [--count N] [--printer NAME] [--only NAME]
  pnpm fuzz planning [--database ${planners.join('|')}] [--most-ms N] [--only NAME]`)
  process.exit(2)
}

const numberOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Number(text)

/** Distance between the seeds of two lanes: more than a lane uses. */
const laneDistance = 10_000_000

const seed = numberOf(values.seed) ?? Math.trunc(Math.random() * 1e9)
const only = numberOf(values.statement)
const laneCount = only === undefined ? Number(values.lanes) : 1
const count = numberOf(values.count)
console.log(`seed ${seed}`)
const server = await startPostgres()
const mysql =
  values.mysql === 'mariadb' || values.mysql === 'mysql'
    ? await startMysql(values.mysql)
    : undefined
try {
  const lanes = Array.from({ length: laneCount }, async (_, lane) =>
    run({
      url: await createDatabase(server.url, 'fuzz'),
      mysqlUrl: mysql?.url ?? values.mysql,
      seed: seed + lane * laneDistance,
      count: count === undefined ? undefined : Math.ceil(count / laneCount),
      seconds: numberOf(values.seconds),
      perWorld: Number(values['per-world']),
      only,
      maxFindings: Number(values['max-findings']),
      minimise: !values['no-minimise'],
      onProgress: (text) => console.log(text),
    }),
  )
  const report = mergeReports(await Promise.all(lanes))
  console.log(formatReport(report))
  process.exitCode = report.findings.length > 0 ? 1 : 0
} finally {
  await mysql?.stop()
  await server.stop()
}
