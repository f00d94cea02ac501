/**
 * @module JSON as text: a value is its text in PostgreSQL's jsonb spelling, parts are substrings of it. Numbers are never
 * converted to doubles, so that no digit is lost.
 */
import { jsonbArray, jsonbObject, readJson } from '@engine/core/values'
import { accepted } from '../register/udf.ts'

/** A JSON value one level deep; parts are texts again. */
export type JsonNode =
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, string> }
  | { readonly kind: 'array'; readonly items: readonly string[] }
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null'; readonly text: string }

/** PostgreSQL's jsonb spelling of any JSON text. Throws 22P02. */
export function canonical(text: string): string {
  return String(accepted(readJson(text, 'jsonb')))
}

/** Reads the outermost level of valid JSON text, blanks allowed. */
export function nodeOf(text: string): JsonNode {
  const trimmed = text.trim()
  switch (trimmed[0]) {
    case '{':
      return { kind: 'object', members: membersOf(trimmed) }
    case '[':
      return { kind: 'array', items: partsOf(trimmed).map((part) => part.trim()) }
    case '"':
      return { kind: 'string', text: trimmed }
    case 't':
    case 'f':
      return { kind: 'boolean', text: trimmed }
    case 'n':
      return { kind: 'null', text: trimmed }
    default:
      return { kind: 'number', text: trimmed }
  }
}

export function textOfNode(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return jsonbObject(node.members)
    case 'array':
      return jsonbArray(node.items)
    default:
      return node.text
  }
}

/** Of equal keys, the last one is used. */
function membersOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    partsOf(text).map((part): [string, string] => {
      const end = endOfString(part, part.indexOf('"'))
      const key: unknown = JSON.parse(part.slice(0, end))
      return [String(key), part.slice(part.indexOf(':', end) + 1).trim()]
    }),
  )
}

/** All members in order, including equal keys: for json (not jsonb). */
export function entriesOf(text: string): readonly (readonly [key: string, value: string])[] {
  return partsOf(text.trim()).map((part) => {
    const end = endOfString(part, part.indexOf('"'))
    const key: unknown = JSON.parse(part.slice(0, end))
    return [String(key), part.slice(part.indexOf(':', end) + 1).trim()] as const
  })
}

/** The parts between the commas of the outermost brackets. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = []
  let depth = 0
  let start = 1
  for (let i = 0; i < text.length; i++) {
    const character = text[i]
    if (character === '"') {
      i = endOfString(text, i) - 1
    } else if (character === '{' || character === '[') {
      depth += 1
    } else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0 && (parts.length > 0 || text.slice(start, i).trim() !== '')) {
        parts.push(text.slice(start, i))
      }
    } else if (character === ',' && depth === 1) {
      parts.push(text.slice(start, i))
      start = i + 1
    }
  }
  return parts
}

/** Index after the closing quote of the string that opens at `start`. */
function endOfString(text: string, start: number): number {
  let i = start + 1
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1
  return i + 1
}
