/** @module The results of a run, counted while it runs. */
import type { Outcome } from '../subjects/subject.ts'
import { isDenial } from './compare-outcomes.ts'
import { type CoverageCounter, coverageText } from './coverage.ts'

/** A difference that nothing explains. */
export interface Finding {
  readonly kind: string
  readonly text: string
  /** Arguments that reproduce the statement: `--seed` and `--statement`. */
  readonly seed: number
  readonly statement: number
  /** Everything that is needed to reproduce it by hand. */
  readonly reproduction: string
}

export interface RunReport {
  readonly statements: number
  /** Statements that are not denied: PostgreSQL answered, or failed on values. */
  readonly acceptedByPostgres: number
  readonly denied: number
  /** Both gave the same answer. */
  readonly equal: number
  /** Both refused. */
  readonly bothRefused: number
  /** Statements that the engine refused and PostgreSQL answered, by message. */
  readonly refused: ReadonlyMap<string, number>
  /** Differences with a reason, by the reason. */
  readonly explained: ReadonlyMap<string, number>
  readonly findings: readonly Finding[]
  /** By kind of node, in the inspected statements. */
  readonly nodes: ReadonlyMap<string, number>
  readonly seconds: number
}

export interface ReportBuilder {
  /** Counts a statement by PostgreSQL's result. */
  readonly statement: (expected: Outcome) => void
  readonly equal: () => void
  readonly bothRefused: () => void
  readonly refused: (message: string) => void
  readonly explained: (reason: string) => void
  readonly finding: (finding: Finding) => void
  /** False where the same error has been reported already; it is then only counted. */
  readonly isNew: (kind: string, text: string) => boolean
  readonly findingCount: () => number
  /** A database cannot be reached any more: the run cannot continue. */
  readonly isLost: () => boolean
  readonly finish: () => RunReport
  readonly coverage: CoverageCounter
}

/** @param onFinding gets the text of each finding at once: a long run may be interrupted. */
export function createReport(
  coverage: CoverageCounter,
  onFinding: (text: string) => void,
): ReportBuilder {
  const start = performance.now()
  const refused = new Map<string, number>()
  const explained = new Map<string, number>()
  const findings: Finding[] = []
  const known = new Set<string>()
  let isLost = false
  let [statements, acceptedByPostgres, denied, equal, bothRefused] = [0, 0, 0, 0, 0]
  return {
    coverage,
    statement: (expected) => {
      statements += 1
      if (isDenial(expected)) denied += 1
      else if (expected.kind === 'rows' || !expected.sqlState?.startsWith('42')) {
        acceptedByPostgres += 1
      }
    },
    equal: () => {
      equal += 1
    },
    bothRefused: () => {
      bothRefused += 1
    },
    refused: (message) => count(refused, withoutNumbers(message)),
    explained: (reason) => count(explained, reason),
    finding: (finding) => {
      findings.push(finding)
      onFinding(findingText(finding))
    },
    isNew: (kind, text) => {
      const key = `${kind}: ${withoutNumbers(text)}`
      isLost ||= text.startsWith('UNAVAILABLE')
      const isKnown = kind.includes('error') && known.has(key)
      known.add(key)
      if (isKnown) count(explained, `again: ${key}`)
      return !isKnown
    },
    findingCount: () => findings.length,
    isLost: () => isLost,
    finish: () => ({
      statements,
      acceptedByPostgres,
      denied,
      equal,
      bothRefused,
      refused,
      explained,
      findings,
      nodes: coverage.counts,
      seconds: (performance.now() - start) / 1000,
    }),
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function withoutNumbers(message: string): string {
  return message
    .replace(/ ?\(?(at )?position \d+\)?/g, '')
    .replace(/\d+/g, 'N')
    .slice(0, 160)
}

/** The combined results of concurrent runs. */
export function mergeReports(reports: readonly RunReport[]): RunReport {
  const sum = (count: (report: RunReport) => number) =>
    reports.reduce((whole, report) => whole + count(report), 0)
  const merged = (countsOf: (report: RunReport) => ReadonlyMap<string, number>) => {
    const counts = new Map<string, number>()
    for (const report of reports) {
      for (const [key, times] of countsOf(report)) counts.set(key, (counts.get(key) ?? 0) + times)
    }
    return counts
  }
  return {
    statements: sum((report) => report.statements),
    acceptedByPostgres: sum((report) => report.acceptedByPostgres),
    denied: sum((report) => report.denied),
    equal: sum((report) => report.equal),
    bothRefused: sum((report) => report.bothRefused),
    refused: merged((report) => report.refused),
    explained: merged((report) => report.explained),
    nodes: merged((report) => report.nodes),
    findings: reports.flatMap((report) => report.findings),
    seconds: Math.max(...reports.map((report) => report.seconds)),
  }
}

/** A report in lines. */
export function formatReport(report: RunReport): string {
  const { statements, acceptedByPostgres, denied, equal, bothRefused, refused, findings, seconds } =
    report
  const share = (part: number) => `${((100 * part) / Math.max(1, statements)).toFixed(1)} %`
  const refusals = [...refused.values()].reduce((sum, each) => sum + each, 0)
  return [
    `${statements} statements in ${seconds.toFixed(1)} s (${(statements / seconds).toFixed(0)} a second)`,
    `  PostgreSQL accepted ${share(acceptedByPostgres)}, denied ${share(denied)}; equal ${share(equal)}, both refused ${share(bothRefused)}, refused by the engine alone ${share(refusals)}`,
    ...lines('  explained', report.explained),
    ...lines('  refused', refused, 25),
    `  ${coverageText(report.nodes)}`,
    `  ${findings.length} findings`,
    ...findings.map(findingText),
  ].join('\n')
}

function findingText({ kind, text, seed, statement, reproduction }: Finding): string {
  return [
    `  ${kind}: ${text}`,
    `    --seed ${seed} --statement ${statement}`,
    indented(reproduction),
  ].join('\n')
}

function lines(title: string, counts: ReadonlyMap<string, number>, most = 50): readonly string[] {
  return [...counts]
    .sort((one, other) => other[1] - one[1])
    .slice(0, most)
    .map(([key, times]) => `${title} ${times}: ${key}`)
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
}
