import { compareRows } from '@engine/corpus'
import type { JsonRows, Outcome } from '../subjects/subject.ts'

/** How two outcomes of a statement differ. */
export type Difference =
  | { readonly kind: 'rows' | 'tables'; readonly text: string }
  /** One side refused a statement that the other answered. */
  | { readonly kind: 'refused' | 'answered'; readonly text: string }
  | { readonly kind: 'denied' | 'allowed'; readonly text: string }
  | { readonly kind: 'server error'; readonly text: string }

/** Undefined where `actual` is as good as `expected`: refusals for different reasons are. */
export function compareOutcomes(
  expected: Outcome,
  actual: Outcome,
  isOrdered: boolean,
): Difference | undefined {
  if (actual.kind === 'refused' && actual.status >= 500) {
    return { kind: 'server error', text: actual.message }
  }
  if (expected.kind === 'rows' && actual.kind === 'rows') {
    const text = compareRows(expected.rows, actual.rows, isOrdered)
    if (text !== undefined) return { kind: 'rows', text }
    const after = compareTables(expected.tables, actual.tables)
    return after === undefined ? undefined : { kind: 'tables', text: after }
  }
  if (actual.kind === 'refused') {
    if (expected.kind === 'refused') return undefined
    return { kind: isDenial(actual) ? 'denied' : 'refused', text: actual.message }
  }
  const text = expected.kind === 'refused' ? expected.message : ''
  return { kind: isDenial(expected) ? 'allowed' : 'answered', text }
}

/**
 * One side failed on values that the other did not need, because it found no row. PostgreSQL computes constants before
 * it reads rows.
 *
 * @param before the tables before the statement, if it is a write.
 */
export function isIdle(expected: Outcome, actual: Outcome, before: string | undefined): boolean {
  const [failed, other] = expected.kind === 'refused' ? [expected, actual] : [actual, expected]
  if (failed.kind !== 'refused' || !/^2[12]/.test(failed.sqlState ?? '')) return false
  if (other.kind !== 'rows' || other.rows.length > 0) return false
  return leavesTables(other, before)
}

/** Returns whether the tables are the same as `before`. */
export function leavesTables(
  outcome: Outcome & { readonly kind: 'rows' },
  before: string | undefined,
): boolean {
  return compareTables(before, outcome.tables) === undefined
}

export function isDenial(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && (outcome.status === 403 || outcome.status === 404)
}

function compareTables(
  expected: string | undefined,
  actual: string | undefined,
): string | undefined {
  if (expected === undefined || actual === undefined) {
    return expected === actual ? undefined : 'only one side has written'
  }
  if (expected === actual) return undefined
  const [wanted, received] = [tablesOf(expected), tablesOf(actual)]
  for (const [i, rows] of wanted.entries()) {
    const text = compareRows(rows, received[i], true)
    if (text !== undefined) return `table ${i + 1}: ${text}`
  }
  return undefined
}

function tablesOf(text: string): readonly JsonRows[] {
  return JSON.parse(text) as readonly JsonRows[]
}
