/** @module Names of columns. */

/** PostgreSQL truncates longer names. In bytes of UTF-8. */
const longestName = 63

/**
 * The names in a header: trimmed, `column_3` for an empty one, `name_2` for the second of the same name. SQLite does
 * not distinguish `a` and `A`, so this function does not either.
 */
export function columnNames(header: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return header.map((cell, index) => {
    const wanted = cut(cell.trim().replaceAll('\0', ''), longestName) || `column_${index + 1}`
    const name = firstFree(wanted, taken)
    taken.add(name.toLowerCase())
    return name
  })
}

/** For a file without a header. */
export function numberedNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `column_${index + 1}`)
}

function firstFree(wanted: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `_${count}`
    const name = `${cut(wanted, longestName - suffix.length)}${suffix}`
    if (!taken.has(name.toLowerCase())) return name
  }
}

function cut(text: string, bytes: number): string {
  let kept = ''
  let length = 0
  for (const character of text) {
    length += Buffer.byteLength(character)
    if (length > bytes) break
    kept += character
  }
  return kept
}
