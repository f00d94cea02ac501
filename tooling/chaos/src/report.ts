/** @module The results of a run, as text. */
import type { AuditFigures } from './checks/audit-rows.ts'
import { median } from './checks/memory.ts'
import type { Recovery } from './faults/recovery.ts'
import type { Finding } from './judge/findings.ts'

export interface ChaosReport {
  readonly seed: number
  readonly seconds: number
  readonly findings: readonly Finding[]
  /** Requests by name and outcome: a status, `broken` or `late`. */
  readonly counts: ReadonlyMap<string, ReadonlyMap<string, number>>
  readonly slowestMs: number
  readonly recoveries: readonly Recovery[]
  readonly comparedRows: number
  readonly revoked: number
  readonly audit: AuditFigures
  /** Megabytes of each node, by second. */
  readonly memory: ReadonlyMap<string, readonly number[]>
  /** Megabytes left in the heap of the first node after each collection. */
  readonly heap: readonly number[]
  /** Error lines of the nodes' logs, by message. */
  readonly logged: ReadonlyMap<string, number>
  /** Faults that this machine does not allow. */
  readonly leftOut: readonly string[]
}

export function requestCount({ counts }: Pick<ChaosReport, 'counts'>): number {
  return [...counts.values()].flatMap((own) => [...own.values()]).reduce(sum, 0)
}

export function formatReport(report: ChaosReport): string {
  const { seed, seconds, findings, recoveries, audit, memory, logged, leftOut } = report
  return [
    `seed ${seed}, ${seconds} s, ${requestCount(report)} requests`,
    '',
    'requests by outcome',
    ...outcomes(report).map(([outcome, count]) => `  ${outcome}: ${count}`),
    ...[...report.counts].map(([name, own]) => {
      const each = [...own].map(([outcome, count]) => `${outcome}: ${count}`)
      return `    ${name}  ${each.join(', ')}`
    }),
    `slowest answer: ${Math.round(report.slowestMs)} ms`,
    '',
    'works again after the end of a fault: times, median, longest',
    ...byFault(recoveries).map(
      ([name, times]) =>
        `  ${name}  ${times.length}, ${Math.round(median(times))} ms, ${Math.round(Math.max(...times))} ms`,
    ),
    ...leftOut.map((name) => `  ${name}  left out: not possible on this machine`),
    '',
    `rows compared at the end: ${report.comparedRows}`,
    `credentials revoked: ${report.revoked}`,
    `acknowledged writes looked up in the audit: ${audit.acknowledged}; lost by kill -9: ${audit.lostByKill}`,
    ...[...memory].map(([name, curve]) => `memory of ${name} in MB: ${tenPoints(curve).join(' ')}`),
    `heap of node-a after a collection in MB: ${tenPoints(report.heap).join(' ')}`,
    ...[...logged].map(([message, count]) => `logged as error: ${message} (${count})`),
    '',
    findings.length === 0 ? 'no findings' : `${findings.length} FINDINGS`,
    ...findings.map(({ kind, what, atSeconds }) => `  ${atSeconds} s  ${kind}: ${what}`),
  ].join('\n')
}

function outcomes({ counts }: ChaosReport): readonly (readonly [string, number])[] {
  const total = new Map<string, number>()
  for (const own of counts.values()) {
    for (const [outcome, count] of own) total.set(outcome, (total.get(outcome) ?? 0) + count)
  }
  return [...total].toSorted(([left], [right]) => (left < right ? -1 : 1))
}

function byFault(recoveries: readonly Recovery[]): readonly (readonly [string, number[]])[] {
  return [...Map.groupBy(recoveries, ({ fault }) => fault)]
    .map(([name, own]) => [name, own.map(({ ms }) => ms)] as const)
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
}

function tenPoints(curve: readonly number[]): readonly number[] {
  const step = Math.max(1, Math.floor(curve.length / 10))
  return curve.filter((_, i) => i % step === 0)
}

function sum(left: number, right: number): number {
  return left + right
}
