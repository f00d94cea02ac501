/**
 * JSON for values that JSON cannot represent: bigints become their digits, bytes `\x` and hexadecimal digits, NaN and
 * the infinities in lists (such as parameters) their names.
 *
 * @throws {TypeError} for an invalid `Date`, which JSON would turn into null.
 */
export function encodeBody(body: unknown): string {
  return JSON.stringify(body, function (this: Readonly<Record<string, unknown>>, key, shown) {
    // `JSON.stringify` has already converted dates and Node's buffers.
    const value = this[key]
    if (typeof value === 'bigint') return value.toString()
    if (typeof value === 'number' && Array.isArray(this) && !Number.isFinite(value)) {
      return String(value)
    }
    if (value instanceof Date && Number.isNaN(value.getTime())) {
      throw new TypeError('A date that is none cannot be sent.')
    }
    const bytes = bytesOf(value)
    if (bytes === undefined) return shown
    return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  })
}

function bytesOf(value: unknown): Uint8Array | undefined {
  if (value instanceof ArrayBuffer) return new Uint8Array(value)
  if (!ArrayBuffer.isView(value)) return undefined
  return new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
}
