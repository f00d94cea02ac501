/**
 * @module Compares answers to one write on databases whose hidden rows differ: some differences are documented as
 * visible.
 */
import type { GeneratedStatement } from '../grammar/statement.ts'
import type { Outcome } from '../subjects/subject.ts'

export interface Comparison {
  /** Their difference; undefined where there is none, or it is allowed. */
  readonly text: string | undefined
  /** Label for the count of such answers. */
  readonly reason: string | undefined
}

const equal: Comparison = { text: undefined, reason: undefined }

/**
 * A taken key or a missing parent is visible to callers that may store such a row. All other callers get the same
 * answer for any rows: a failed check takes precedence over a taken key.
 */
export function compareRefusals(
  outcomes: readonly Outcome[],
  batch: readonly GeneratedStatement[],
  isVolatile: boolean,
): Comparison {
  const texts = outcomes.map(textOf)
  const hasFailedCheck = outcomes.some(isFailedCheck)
  if (texts.every((text) => text === texts[0])) {
    return hasFailedCheck ? { text: undefined, reason: 'a failed check, answered alike' } : equal
  }
  const text = texts.map((each) => each.slice(0, 200)).join(' <> ')
  const leak: Comparison = { text, reason: undefined }
  const visible = (reason: string): Comparison => ({ text: undefined, reason })
  // Statements after one that was refused in one of the databases did not run there.
  const first = Math.min(...outcomes.map(refusedStatement))
  const there = outcomes.filter((outcome) => refusedStatement(outcome) === first)
  const hasPassed = there.length < outcomes.length || first === Number.POSITIVE_INFINITY
  if (there.some(isConflict)) return there.some(isFailedCheck) ? leak : visible('a taken key')
  // A write with volatile functions that conflicts with a key counts as one that fails its check.
  if (there.some(isFailedCheck) && hasPassed && isVolatile) {
    return visible('a taken key, judged as a failed check')
  }
  const skips = batch.some(({ writes }) => writes.some(({ conflict }) => conflict !== undefined))
  return skips ? visible('ON CONFLICT met a row') : leak
}

/** Number of the refused statement in a batch, from 1; a single statement is the first. */
function refusedStatement(outcome: Outcome): number {
  if (outcome.kind === 'rows') return Number.POSITIVE_INFINITY
  return Number(/\bStatement (\d+): /.exec(outcome.message)?.[1] ?? 1)
}

function isConflict(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.status === 409
}

function textOf(outcome: Outcome): string {
  if (outcome.kind === 'refused') return `${outcome.status} ${outcome.message}`
  return outcome.rows
    .map((row) => JSON.stringify(row))
    .toSorted()
    .join('\n')
}

function isFailedCheck(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.status === 422 && outcome.sqlState === '44000'
}
