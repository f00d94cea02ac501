/**
 * A value of the application's code as the JSON value of a parameter: dates as ISO 8601 texts in UTC, bytes as `\x…`, big
 * integers as digits; all other values unchanged.
 */
export function parameterJson(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return value
}
