/** @module Arrays as PostgreSQL prints them. */

/** `texts[i]` is the text of element i, or null for NULL; row-major. */
export function arrayText(
  dimensions: readonly number[],
  texts: readonly (string | null)[],
  delimiter: string,
): string {
  if (dimensions.length === 0) return '{}'
  const printed = texts.map((text) => (text === null ? 'NULL' : quotedElement(text, delimiter)))
  const nested = dimensions
    .toReversed()
    .reduce<readonly string[]>((items, length) => groups(items, length, delimiter), printed)
  return nested[0] ?? '{}'
}

function groups(items: readonly string[], length: number, delimiter: string): readonly string[] {
  return Array.from({ length: items.length / length }, (_, i) => {
    return `{${items.slice(i * length, (i + 1) * length).join(delimiter)}}`
  })
}

/** An element, in quotes where the bare text would be read differently. */
export function quotedElement(text: string, delimiter: string): string {
  const isBare =
    text !== '' &&
    !/["\\{}\t-\r ]/.test(text) &&
    !text.includes(delimiter) &&
    text.toLowerCase() !== 'null'
  return isBare ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
