/**
 * The parser counts UTF-8 bytes from 0; people and the wire protocol count characters (code points) from 1.
 *
 * @returns a function that turns a byte offset of `sql` into a character position. Offsets must not fall inside a character;
 *   those after the end give the position after the last character.
 */
export function characterPositions(sql: string): (byteOffset: number) => number {
  if (!/[\u0080-\uffff]/.test(sql)) return (byteOffset) => byteOffset + 1
  const starts = characterStarts(sql)
  return (byteOffset) => lowerBound(starts, byteOffset) + 1
}

/** `starts[i]`: byte offset of character i, then one for the end. */
function characterStarts(sql: string): readonly number[] {
  const starts: number[] = []
  let offset = 0
  for (const character of sql) {
    starts.push(offset)
    offset += byteLength(character.codePointAt(0) ?? 0)
  }
  starts.push(offset)
  return starts
}

function byteLength(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}

/** Index of the first start that is not below `offset`. */
function lowerBound(starts: readonly number[], offset: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((starts[middle] ?? 0) < offset) low = middle + 1
    else high = middle
  }
  return low
}
