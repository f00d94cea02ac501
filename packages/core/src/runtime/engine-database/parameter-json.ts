/**
 * A value of own code as a JSON value that parameters are read from: dates as ISO 8601 texts in UTC, bytes as
 * `\x…`, big integers as digits; everything else as it is.
 */
export function parameterJson(value: unknown): unknown {
  if (value === undefined) return null
  if (typeof value === 'bigint') return value.toString()
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Uint8Array) return `\\x${Buffer.from(value).toString('hex')}`
  return value
}
