/** @module jsonb as PostgreSQL prints it. */

/** An array as PostgreSQL writes it in jsonb, with blanks after commas. */
export function jsonbArray(items: readonly string[]): string {
  return `[${items.join(', ')}]`
}

/** `members`: decoded key → printed value. Keys are sorted by length, then by bytes. */
export function jsonbObject(members: ReadonlyMap<string, string>): string {
  const sorted = [...members]
    .map(([key, value]) => ({ key, value, bytes: encoder.encode(key) }))
    .sort((a, b) => compareBytes(a.bytes, b.bytes))
  return `{${sorted.map(({ key, value }) => `${jsonbString(key)}: ${value}`).join(', ')}}`
}

const encoder = new TextEncoder()

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  if (a.length !== b.length) return a.length - b.length
  const index = a.findIndex((byte, i) => byte !== b[i])
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0)
}

/** Quoted; only the quote, the backslash and control characters are escaped. */
export function jsonbString(text: string): string {
  return JSON.stringify(text)
}
