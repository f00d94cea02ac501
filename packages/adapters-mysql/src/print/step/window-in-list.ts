/**
 * @module A final check of finished SQL: a window function in the argument of JSON_TABLE, except in a subquery there, crashes
 * MariaDB 10.11. Printers avoid it; if one does not, the statement is refused.
 */

/** Names are in backticks, strings of the printer in quotes; the content of both is skipped. */
const quoted = /`(?:[^`]|``)*`|'(?:[^'\\]|\\.|'')*'/g

export function hasWindowInList(text: string): boolean {
  if (!text.includes(' over (') || !text.includes('json_table(')) return false
  const bare = text.replaceAll(quoted, (part) => '_'.repeat(part.length))
  let start = bare.indexOf('json_table(')
  while (start >= 0) {
    if (argumentHasWindow(bare, start + 'json_table('.length)) return true
    start = bare.indexOf('json_table(', start + 1)
  }
  return false
}

/** From `start` to the comma or bracket that ends the argument. */
function argumentHasWindow(text: string, start: number): boolean {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    const character = text[index]
    if (character === '(') {
      if (text.startsWith('(select ', index)) {
        index = closingBracket(text, index)
      } else depth += 1
    } else if (character === ')') {
      if (depth === 0) return false
      depth -= 1
    } else if (character === ',' && depth === 0) return false
    else if (text.startsWith(' over (', index)) return true
  }
  return false
}

/** The closing bracket for the one at `start`. */
function closingBracket(text: string, start: number): number {
  let depth = 0
  for (let index = start; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1
    else if (text[index] === ')') {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return text.length
}
