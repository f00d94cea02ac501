/** @module Converts JSON values of a request to JSON text. */

/** Deeper values are refused before any recursion can exhaust the stack. */
const maxDepth = 500

/** Values that JSON cannot express are left out of objects and become null in arrays, as in JSON.stringify. */
export function isJsonValue(value: unknown): boolean {
  return value !== undefined && typeof value !== 'function' && typeof value !== 'symbol'
}

/**
 * The text of a parsed JSON value; the digits of a bigint or of a `JSON.rawJSON` number are kept.
 * Undefined when it is nested too deeply.
 */
export function jsonText(value: unknown, depth = 0): string | undefined {
  if (depth > maxDepth) return undefined
  if (typeof value === 'bigint') return String(value)
  if (!isJsonValue(value)) return 'null'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (value instanceof Date) return JSON.stringify(value)
  const raw = rawNumber(value)
  if (raw !== undefined) return raw
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => jsonText(item, depth + 1))
    return items.includes(undefined) ? undefined : `[${items.join()}]`
  }
  const members = Object.entries(value)
    .filter(([, item]) => isJsonValue(item))
    .map(([key, item]) => {
      const text = jsonText(item, depth + 1)
      return text === undefined ? undefined : `${JSON.stringify(key)}:${text}`
    })
  return members.includes(undefined) ? undefined : `{${members.join()}}`
}

/** The source text of a number that `JSON.rawJSON` keeps; clients cannot create such an object. */
export function rawNumber(value: object): string | undefined {
  const { isRawJSON } = JSON as { readonly isRawJSON?: (candidate: unknown) => boolean }
  if (isRawJSON?.(value) !== true) return undefined
  return (value as { readonly rawJSON: string }).rawJSON
}
