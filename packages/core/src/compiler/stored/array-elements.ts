/** @module Arrays in databases without arrays: JSON whose elements are stored values. */
import type { CellKind } from './cell-kind.ts'
import type { StoredValue } from './stored-value.ts'

/** Is it a JSON array with nothing after it? */
export function isArray(text: string): boolean {
  return text.trimStart().startsWith('[') && isJson(text)
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The elements of an array that is known to be JSON, each as its own text. */
export function elementsOf(json: string): readonly string[] {
  const text = json.trim().slice(1, -1)
  const elements: string[] = []
  let depth = 0
  let start = 0
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') index = stringEnd(text, index)
    else if (character === '[' || character === '{') depth += 1
    else if (character === ']' || character === '}') depth -= 1
    else if (character === ',' && depth === 0) {
      elements.push(text.slice(start, index).trim())
      start = index + 1
    }
  }
  const last = text.slice(start).trim()
  return last === '' ? elements : [...elements, last]
}

/** An element as a stored value. In lists, bytes are hexadecimal digits, and decimals may be numbers. */
export function elementValue(text: string, { kind }: CellKind): NonNullable<StoredValue> {
  if (text === 'true' || text === 'false') return text === 'true' ? 1n : 0n
  if (text.startsWith('"')) {
    const string = JSON.parse(text) as string
    return kind === 'bytes' ? Buffer.from(string, 'hex') : string
  }
  if (kind === 'decimal' && /^-?\d+\.\d+$/.test(text)) return text
  if (/^-?\d+$/.test(text)) return BigInt(text)
  return text.startsWith('{') ? text : Number(text)
}

/** Index of the quote that ends the string which begins at `start`. */
function stringEnd(text: string, start: number): number {
  let index = start + 1
  while (index < text.length && text[index] !== '"') index += text[index] === '\\' ? 2 : 1
  return index
}
