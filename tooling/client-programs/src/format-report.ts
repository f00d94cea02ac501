import { inspect } from 'node:util'
import type { Outcome, ProgramReport } from './compare-program.ts'

/** Writes a report: the counts, then every unexpected result. */
export function formatReport(reports: readonly ProgramReport[]): string {
  const unexpected = reports.filter((report) => !report.expected)
  const counts = Object.entries(Object.groupBy(reports, (report) => report.outcome.kind))
    .map(([kind, group]) => `${group?.length ?? 0} ${kind}`)
    .join(', ')
  return [
    `${reports.length} programs: ${counts}; ${unexpected.length} unexpected`,
    ...unexpected.map((report) => `\n${report.name}\n${indent(describe(report.outcome))}`),
  ].join('\n')
}

function describe(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'equal':
      return `equal: ${show(outcome.value)}`
    case 'different':
      return `direct:  ${show(outcome.direct)}\ngateway: ${show(outcome.gateway)}`
    case 'failed':
      return `failed on the ${outcome.side} side: ${show(outcome.error)}`
    default:
      return `${outcome.kind} with ${outcome.status}: ${outcome.message}`
  }
}

function show(value: unknown): string {
  return inspect(value, { depth: 12, breakLength: 100, maxArrayLength: 50, maxStringLength: 2000 })
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
