/** @module The text form of arrays: `{1,2,NULL}`, `{{"a b","c\"d"},{x,y}}`. */
import { type ArrayShape, shapeOf } from './array-shape.ts'
import { isSpace, trimSpace } from './trim-space.ts'

/** Each element's text, or null. Undefined when malformed. `delimiter` is `,` for all types except box. */
export function parseArrayLiteral(text: string, delimiter: string): ArrayShape | undefined {
  const scanner: Scanner = { text: trimSpace(text), position: 0, delimiter }
  const items = scanItems(scanner)
  if (items === undefined || scanner.position < scanner.text.length) return undefined
  return shapeOf(items)
}

interface Scanner {
  readonly text: string
  position: number
  readonly delimiter: string
}

type Item = string | null | readonly Item[]

/** From `{` to the position after its `}`. A loop with a stack of its own, because the text may be nested to any depth. */
function scanItems(scanner: Scanner): readonly Item[] | undefined {
  const open: Item[][] = []
  for (;;) {
    skipSpace(scanner)
    if (skip(scanner, '{')) {
      open.push([])
      skipSpace(scanner)
      if (open.length > 1 || !skip(scanner, '}')) continue
      return []
    }
    const level = open.at(-1)
    const element = level === undefined ? undefined : scanElement(scanner)
    if (level === undefined || element === undefined) return undefined
    level.push(element)
    const closed = closeLevels(scanner, open)
    if (closed !== 'open') return closed
  }
}

/** After an element: a delimiter, or braces that close levels; the last of them ends the array. */
function closeLevels(scanner: Scanner, open: Item[][]): readonly Item[] | undefined | 'open' {
  for (;;) {
    skipSpace(scanner)
    if (skip(scanner, scanner.delimiter)) return 'open'
    const items = skip(scanner, '}') ? open.pop() : undefined
    if (items === undefined) return undefined
    const parent = open.at(-1)
    if (parent === undefined) return items
    parent.push(items)
  }
}

/** Quoted, or bare up to a delimiter or brace; a backslash makes the next character literal. */
function scanElement(scanner: Scanner): string | null | undefined {
  const { text } = scanner
  if (skip(scanner, '"')) return scanQuoted(scanner)
  let value = ''
  let length = 0
  let hasEscape = false
  for (; scanner.position < text.length; scanner.position++) {
    const character = text.charAt(scanner.position)
    if (character === scanner.delimiter || character === '}') break
    if (character === '{' || character === '"') return undefined
    if (character === '\\') {
      scanner.position += 1
      hasEscape = true
      value += text.charAt(scanner.position)
      length = value.length
    } else {
      value += character
      if (!isSpace(character.charCodeAt(0))) length = value.length
    }
  }
  if (length === 0) return undefined
  const element = value.slice(0, length)
  return !hasEscape && element.toLowerCase() === 'null' ? null : element
}

function scanQuoted(scanner: Scanner): string | undefined {
  let value = ''
  for (; scanner.position < scanner.text.length; scanner.position++) {
    const character = scanner.text.charAt(scanner.position)
    if (character === '"') {
      scanner.position += 1
      return value
    }
    if (character === '\\') scanner.position += 1
    value += scanner.text.charAt(scanner.position)
  }
  return undefined
}

function skipSpace(scanner: Scanner): void {
  while (isSpace(scanner.text.charCodeAt(scanner.position))) scanner.position += 1
}

function skip(scanner: Scanner, character: string): boolean {
  if (scanner.text[scanner.position] !== character) return false
  scanner.position += 1
  return true
}
