/** @module Names and strings in the SQL that builds mirrors. */

/** Maximum length of a name in PostgreSQL, in bytes of UTF-8. */
const maxNameBytes = 63

/** `"orders"` */
export function quoteName(name: string): string {
  return `"${withoutNul(name).replaceAll('"', '""')}"`
}

/** `'it''s'`, for a server with `standard_conforming_strings`. */
export function quoteText(text: string): string {
  return `'${withoutNul(text).replaceAll("'", "''")}'`
}

/** A name as PostgreSQL cuts it. */
export function keptName(name: string): string {
  const bytes = Buffer.from(name)
  if (bytes.length <= maxNameBytes) return name
  let end = maxNameBytes
  // A byte 10xxxxxx continues the character before it.
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
