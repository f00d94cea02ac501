/** @module Arrays as PostgreSQL prints them. */

/** `texts[i]` is the text of element i, or null for NULL; row-major. */
export function arrayText(
  dimensions: readonly number[],
  texts: readonly (string | null)[],
  delimiter: string,
): string {
  if (dimensions.length === 0) return '{}'
  const printed = texts.map((text) => elementText(text, delimiter))
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

/** Quoted where the bare text would be read as something else. */
function elementText(text: string | null, delimiter: string): string {
  if (text === null) return 'NULL'
  const isBare =
    text !== '' &&
    !/["\\{}\t-\r ]/.test(text) &&
    !text.includes(delimiter) &&
    text.toLowerCase() !== 'null'
  return isBare ? text : `"${text.replaceAll(/["\\]/g, '\\$&')}"`
}
