/** @module Answers to one write before databases whose hidden rows differ: what of a difference is said to be visible. */
import type { GeneratedStatement } from '../grammar/statement.ts'
import type { Outcome } from '../subjects/subject.ts'

export interface Comparison {
  /** How they differ; undefined where they do not, or may. */
  readonly text: string | undefined
  /** What is counted of them. */
  readonly reason: string | undefined
}

const equal: Comparison = { text: undefined, reason: undefined }

/**
 * A taken key or a missing parent is visible to callers that may store such a row. All other callers get the same answer
 * whatever there is: next to a failed check there is no taken key.
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
  // A write with volatile functions that meets a taken key counts as one that fails its check.
  if (there.some(isFailedCheck) && hasPassed && isVolatile) {
    return visible('a taken key, judged as a failed check')
  }
  const skips = batch.some(({ writes }) => writes.some(({ conflict }) => conflict !== undefined))
  return skips ? visible('ON CONFLICT met a row') : leak
}

/** Which statement of a batch was refused, the first being 1; a single one is the first. */
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
