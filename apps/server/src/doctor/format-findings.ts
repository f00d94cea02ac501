import type { Finding } from './finding.ts'

const marks = { ok: 'ok     ', warning: 'warning', fault: 'FAULT  ' } as const

/** A line for each finding, and one with the counts. */
export function formatFindings(findings: readonly Finding[]): string {
  const width = Math.max(0, ...findings.map(({ about }) => about.length))
  const lines = findings.map(
    ({ level, about, message }) => `${marks[level]}  ${about.padEnd(width)}  ${message}`,
  )
  const count = (level: Finding['level']) => findings.filter((each) => each.level === level).length
  const named = (level: 'fault' | 'warning') =>
    `${count(level)} ${level}${count(level) === 1 ? '' : 's'}`
  const summary = `${named('fault')}, ${named('warning')}, ${count('ok')} ok`
  return `${[...lines, '', summary].join('\n')}\n`
}
