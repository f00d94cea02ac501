import type { JsonValue } from './case.ts'

type Rows = readonly (readonly JsonValue[])[]

/**
 * Describes the first difference of two answers, or returns undefined where they are the same. Numbers are compared as
 * numbers, the keys of a JSON object in any order, everything else exactly.
 *
 * @param ordered False: both are multisets of rows.
 */
export function compareRows(expected: Rows, actual: unknown, ordered: boolean): string | undefined {
  if (!isRows(actual)) return `not an array of arrays: ${shorten(JSON.stringify(actual))}`
  if (expected.length !== actual.length) {
    return `${expected.length} rows expected, ${actual.length} received; ${firstStrange(expected, actual)}`
  }
  return ordered ? compareLists(expected, actual) : compareMultisets(expected, actual)
}

/** A text that is equal for equal values, for any order of keys. */
export function canonicalText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(
      ([key, item]) => `${JSON.stringify(key)}:${canonicalText(item)}`,
    )
    return `{${entries.sort().join(',')}}`
  }
  return JSON.stringify(value) ?? 'undefined'
}

function compareLists(expected: Rows, actual: Rows): string | undefined {
  for (const [index, row] of expected.entries()) {
    const difference = compareRow(row, actual[index] ?? [])
    if (difference === undefined) continue
    const sameSet = compareMultisets(expected, actual) === undefined
    return `row ${index}, ${difference}${sameSet ? ' (the same rows in another order)' : ''}`
  }
  return undefined
}

function compareRow(
  expected: readonly JsonValue[],
  actual: readonly JsonValue[],
): string | undefined {
  if (expected.length !== actual.length) {
    return `${expected.length} columns expected, ${actual.length} received`
  }
  for (const [index, value] of expected.entries()) {
    const [want, got] = [canonicalText(value), canonicalText(actual[index])]
    if (want !== got) return `column ${index}: ${shorten(want)} expected, ${shorten(got)} received`
  }
  return undefined
}

function compareMultisets(expected: Rows, actual: Rows): string | undefined {
  const wanted = expected.map(canonicalText).sort()
  const received = actual.map(canonicalText).sort()
  return wanted.every((text, index) => text === received[index])
    ? undefined
    : firstStrange(expected, actual)
}

/** The first row that only one side has, with the nearest row of the other side. */
function firstStrange(expected: Rows, actual: Rows): string {
  const rest = actual.map(canonicalText)
  for (const row of expected) {
    const at = rest.indexOf(canonicalText(row))
    if (at === -1) {
      return `row ${shorten(canonicalText(row))} is missing; unexpected: ${shorten(leftOver(expected, actual))}`
    }
    rest.splice(at, 1)
  }
  return `unexpected: ${shorten(rest[0] ?? 'nothing')}`
}

function leftOver(expected: Rows, actual: Rows): string {
  const rest = expected.map(canonicalText)
  for (const text of actual.map(canonicalText)) {
    const at = rest.indexOf(text)
    if (at === -1) return text
    rest.splice(at, 1)
  }
  return 'nothing'
}

function isRows(value: unknown): value is Rows {
  return Array.isArray(value) && value.every((row) => Array.isArray(row))
}

function shorten(text: string | undefined): string {
  if (text === undefined) return 'undefined'
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
