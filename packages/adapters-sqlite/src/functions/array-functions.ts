/**
 * @module Arrays: JSON text of a list. `kind` is the class of the elements: `bool`, `float8`, `bytea` (hexadecimal strings),
 * `numeric`, `timestamp` ... or `text`.
 */

import { canonical, nodeOf } from './json/json-text.ts'
import { float4Text, float8Text } from './numbers/float-text.ts'
import {
  booleanValue,
  countOf,
  nullable,
  type ScalarFunctions,
  type SqliteValue,
  strict,
  textOf,
} from './register/scalar.ts'
import { sqlError } from './register/sql-error.ts'

/** JSON texts of the elements. */
export function elementsOf(text: string): readonly string[] {
  const node = nodeOf(text)
  if (node.kind !== 'array') throw sqlError('22P02', 'a list was expected')
  return node.items
}

/** Flattens one level: nested elements replace their lists. */
function flat(text: string): string {
  if (!text.includes('[', 1)) return text
  const flatten = (items: readonly string[]): readonly string[] =>
    items.flatMap((item) => (item.startsWith('[') ? flatten(elementsOf(item)) : [item]))
  return `[${flatten(elementsOf(text)).join(',')}]`
}

/** An element as a value of SQLite. */
function itemValue(element: string | undefined): SqliteValue {
  if (element === undefined || element === 'null') return null
  if (element === 'true' || element === 'false') return element === 'true' ? 1n : 0n
  if (element.startsWith('[')) return element
  if (element.startsWith('"')) return String(JSON.parse(element))
  return /^-?\d+$/.test(element) ? BigInt(element) : Number(element)
}

/** An element as PostgreSQL writes it; null for NULL. */
function elementText(element: string, kind: string, isInArray: boolean): string | null {
  const value = itemValue(element)
  if (value === null) return null
  switch (kind) {
    case 'bool':
      if (isInArray) return value === 1n ? 't' : 'f'
      return value === 1n ? 'true' : 'false'
    case 'float8':
      return float8Text(Number(value))
    case 'float4':
      return float4Text(Number(value))
    case 'bytea':
      return `\\x${String(value).toLowerCase()}`
    default:
      return String(value)
  }
}

function quoted(text: string): string {
  const needsQuotes = text === '' || /[{}",\\\s]/.test(text) || text.toUpperCase() === 'NULL'
  return needsQuotes ? `"${text.replace(/["\\]/g, '\\$&')}"` : text
}

function arrayText(text: string, kind: string): string {
  const parts = elementsOf(text).map((element) =>
    element.startsWith('[')
      ? arrayText(element, kind)
      : mapped(elementText(element, kind, true), quoted, 'NULL'),
  )
  return `{${parts.join(',')}}`
}

function mapped(text: string | null, present: (text: string) => string, absent: string): string {
  return text === null ? absent : present(text)
}

/** The array as to_json writes it. */
function arrayJson(text: string, kind: string): string {
  const parts = elementsOf(text).map((element) => {
    if (element.startsWith('[')) return arrayJson(element, kind)
    const value = elementText(element, kind, false)
    return value === null ? 'null' : elementJson(value, kind)
  })
  return `[${parts.join(',')}]`
}

function elementJson(text: string, kind: string): string {
  switch (kind) {
    case 'bool':
    case 'int2':
    case 'int4':
    case 'int8':
      return text
    case 'numeric':
    case 'float4':
    case 'float8':
      return /^-?\d/.test(text) ? text : JSON.stringify(text)
    case 'json':
      return text
    case 'jsonb':
      return canonical(text)
    case 'timestamp':
      return JSON.stringify(text.replace(' ', 'T'))
    case 'timestamptz':
      return JSON.stringify(text.replace(' ', 'T').replace(/\+00$/, '+00:00'))
    default:
      return JSON.stringify(text)
  }
}

function joined(args: readonly SqliteValue[]): string | null {
  const [array = null, kind = null, delimiter = null, absent = null] = args
  if (array === null || delimiter === null) return null
  const texts = elementsOf(flat(textOf(array))).map((element) =>
    elementText(element, textOf(kind), true),
  )
  const shown = texts.map((text) => text ?? (absent === null ? null : textOf(absent)))
  return shown.filter((text) => text !== null).join(textOf(delimiter))
}

function split(args: readonly SqliteValue[]): string | null {
  const [text = null, delimiter = null, absent = null] = args
  if (text === null) return null
  const parts = partsOf(textOf(text), delimiter === null ? null : textOf(delimiter))
  const marked = parts.map((part) => (absent !== null && part === textOf(absent) ? null : part))
  return JSON.stringify(marked)
}

/** A NULL delimiter separates the characters, an empty one nothing. */
function partsOf(text: string, delimiter: string | null): readonly string[] {
  if (text === '') return []
  if (delimiter === null) return Array.from(text)
  return delimiter === '' ? [text] : text.split(delimiter)
}

/** Positions count from 1. */
function sliced(text: string, lower: number, upper: number): string {
  const first = Math.max(0, lower - 1)
  return `[${elementsOf(text).slice(first, Math.max(first, upper)).join(',')}]`
}

function keyText(key: SqliteValue): string | null {
  if (key === null) return null
  return key instanceof Uint8Array ? Buffer.from(key).toString('hex') : String(key)
}

export const arrayFunctions: ScalarFunctions = {
  array_flat: strict((array) => flat(textOf(array))),
  array_text: strict((array, kind) => arrayText(textOf(array), textOf(kind))),
  array_json: strict((array, kind) => arrayJson(textOf(array), textOf(kind))),
  array_as_text: strict((array, kind) => {
    const texts = elementsOf(textOf(array)).map((each) => elementText(each, textOf(kind), false))
    return JSON.stringify(texts)
  }),
  /** The element at a position counted from 1. */
  array_item: strict((array, index) => {
    const position = countOf(index)
    return position < 1 ? null : itemValue(elementsOf(textOf(array))[position - 1])
  }),
  array_slice: strict((array, lower, upper) =>
    sliced(textOf(array), countOf(lower), countOf(upper)),
  ),
  /** A text that is the same only for equal keys. */
  row_key: nullable((...keys) => JSON.stringify(keys.map((key) => [typeof key, keyText(key)])), -1),
  /** An element is passed as its JSON text. */
  array_append: nullable((array = null, element = null) => {
    const items = array === null ? [] : elementsOf(textOf(array))
    return `[${[...items, textOf(element)].join(',')}]`
  }, 2),
  array_prepend: nullable((element = null, array = null) => {
    const items = array === null ? [] : elementsOf(textOf(array))
    return `[${[textOf(element), ...items].join(',')}]`
  }, 2),
  array_remove: strict((array, element) => {
    const rest = elementsOf(textOf(array)).filter((each) => each !== textOf(element))
    return `[${rest.join(',')}]`
  }),
  array_replace: strict((array, from, to) => {
    const items = elementsOf(textOf(array))
    return `[${items.map((each) => (each === textOf(from) ? textOf(to) : each)).join(',')}]`
  }),
  array_position: strict((array, element) => {
    const index = elementsOf(textOf(array)).indexOf(textOf(element))
    return index < 0 ? null : BigInt(index + 1)
  }),
  /** NULL is contained in nothing. */
  array_contains: strict((array, part) => {
    const items = new Set(elementsOf(textOf(array)).filter((each) => each !== 'null'))
    return booleanValue(elementsOf(textOf(part)).every((each) => items.has(each)))
  }),
  array_overlaps: strict((array, other) => {
    const items = new Set(elementsOf(textOf(array)).filter((each) => each !== 'null'))
    return booleanValue(elementsOf(textOf(other)).some((each) => items.has(each)))
  }),
  array_concat: nullable((left = null, right = null) => {
    if (left === null || right === null) return left ?? right
    return `[${[...elementsOf(textOf(left)), ...elementsOf(textOf(right))].join(',')}]`
  }, 2),
  /** Length of a dimension; NULL for a missing one. */
  array_size: strict((array, dimension) => {
    const size = elementsOf(textOf(array)).length
    return dimension === 1n && size > 0 ? BigInt(size) : null
  }),
  array_count: strict((array) => BigInt(elementsOf(flat(textOf(array))).length)),
  /** Arguments: array, kind, delimiter and, if given, the text for NULL. */
  array_join: nullable((...args) => joined(args), -1),
  text_split: nullable((...args) => split(args), -1),
  /** Joins the texts that `collect_texts` has collected. */
  join_texts: strict((list, delimiter) =>
    elementsOf(textOf(list))
      .map((element) => String(itemValue(element)))
      .join(textOf(delimiter)),
  ),
}
