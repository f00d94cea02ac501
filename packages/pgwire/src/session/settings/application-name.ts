/** @module Application names of clients. */

/** NAMEDATALEN - 1, in bytes. */
const maxBytes = 63

/**
 * Cut to 63 bytes; then every byte that is not printable ASCII becomes `\xe4`.
 *
 * @see pg_clean_ascii of PostgreSQL 16
 */
export function cleanName(name: string): string {
  if (/^[\x20-\x7e]{0,63}$/.test(name)) return name
  const encoder = new TextEncoder()
  let cleaned = ''
  let size = 0
  for (const character of name) {
    const bytes = encoder.encode(character)
    size += bytes.length
    if (size > maxBytes) break
    cleaned += /^[\x20-\x7e]$/.test(character) ? character : [...bytes].map(escapeByte).join('')
  }
  return cleaned
}

function escapeByte(byte: number): string {
  return `\\x${byte.toString(16).padStart(2, '0')}`
}
