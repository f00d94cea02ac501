/** @module `pnpm chaos`: see the README. */
import { parseArgs } from 'node:util'
import { formatReport } from './report.ts'
import { runChaos } from './run-chaos.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '600' },
    seed: { type: 'string' },
    service: { type: 'string', default: 'postgres' },
    only: { type: 'string', multiple: true },
    pause: { type: 'string', default: '300' },
    'query-timeout': { type: 'string', default: '3000' },
    margin: { type: 'string', default: '10000' },
    settle: { type: 'string', default: '2500' },
    recovery: { type: 'string', default: '2000' },
    'longest-fault': { type: 'string', default: '16000' },
  },
})

// Started processes end with this one.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const startMs = performance.now()
const seed = values.seed === undefined ? Math.trunc(Math.random() * 1e9) + 1 : Number(values.seed)
console.log(`seed ${seed}`)
const report = await runChaos({
  seed,
  service: values.service === 'mariadb' || values.service === 'mysql' ? values.service : 'postgres',
  seconds: Number(values.seconds),
  queryTimeoutMs: Number(values['query-timeout']),
  marginMs: Number(values.margin),
  recoveryMs: Number(values.recovery),
  settleMs: Number(values.settle),
  longestFaultMs: Number(values['longest-fault']),
  pauseMs: Number(values.pause),
  ...(values.only && { only: values.only }),
  tell: (line) => console.log(`${((performance.now() - startMs) / 1_000).toFixed(1)} s  ${line}`),
})
console.log(`\n${formatReport(report)}`)
process.exitCode = report.findings.length === 0 ? 0 : 1
