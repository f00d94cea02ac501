/** JSON for what JSON has no word for: bigints are their digits, bytes are `\x` and hexadecimal digits. */
export function encodeBody(body: unknown): string {
  return JSON.stringify(body, (_key, value: unknown) => {
    if (typeof value === 'bigint') return value.toString()
    if (!ArrayBuffer.isView(value)) return value
    const { buffer, byteOffset, byteLength } = value
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    return `\\x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`
  })
}
