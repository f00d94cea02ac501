/** @module json and jsonb. Every value is JSON text; jsonb results have PostgreSQL's jsonb spelling. */
import { jsonbArray, jsonbObject, jsonbString } from '@engine/core/values'
import { compare, decimalOf, decimalText, readDecimal } from './decimal.ts'
import { canonical, entriesOf, type JsonNode, nodeOf, textOfNode } from './json-text.ts'
import { sqlError } from './sql-error.ts'
import {
  bytesOf,
  nullable,
  strict,
  strictAny,
  textOf,
  truth,
  type UdfDefinition,
  type UdfValue,
} from './udf.ts'

/** `->`: a member by key, or an item by position (negative from the end). */
function get(text: string, key: UdfValue | undefined): string | null {
  const node = nodeOf(text)
  if (typeof key === 'bigint') {
    return node.kind === 'array' ? (node.items.at(Number(key)) ?? null) : null
  }
  return node.kind === 'object' ? (node.members.get(textOf(key)) ?? null) : null
}

/** `->>`: a string without quotes, JSON null as NULL. */
function asText(text: string | null): string | null {
  if (text === null) return null
  const node = nodeOf(text)
  if (node.kind === 'null') return null
  if (node.kind !== 'string') return text
  const decoded: unknown = JSON.parse(node.text)
  return String(decoded)
}

/** A text[] as it is kept here: a JSON array of strings. */
function pathOf(value: UdfValue | undefined): readonly (string | null)[] {
  const parsed: unknown = JSON.parse(textOf(value))
  if (!Array.isArray(parsed)) throw sqlError('22P02', 'a list of keys was expected')
  return parsed.map((part) => (part === null ? null : String(part)))
}

function follow(text: string, path: readonly (string | null)[]): string | null {
  let current: string | null = text
  for (const part of path) {
    if (current === null || part === null) return null
    const node = nodeOf(current)
    if (node.kind === 'object') current = node.members.get(part) ?? null
    else if (node.kind === 'array')
      current = /^-?\d+$/.test(part) ? (node.items.at(Number(part)) ?? null) : null
    else return null
  }
  return current
}

/** `@>` on jsonb: objects by member, arrays by item in any order; an array contains a scalar item of its own. */
function contains(outer: string, inner: string, isTop = true): boolean {
  const [left, right] = [nodeOf(outer), nodeOf(inner)]
  if (left.kind === 'object' && right.kind === 'object') {
    return [...right.members].every(([key, value]) => {
      const own = left.members.get(key)
      return own !== undefined && contains(own, value, false)
    })
  }
  if (left.kind === 'array' && right.kind === 'array') {
    return right.items.every((item) => left.items.some((own) => contains(own, item, false)))
  }
  if (isTop && left.kind === 'array' && right.kind !== 'object' && right.kind !== 'array') {
    return left.items.some((own) => compareJson(own, inner) === 0)
  }
  return left.kind === right.kind && compareJson(outer, inner) === 0
}

const rank: Readonly<Record<JsonNode['kind'], number>> = {
  null: 0,
  string: 1,
  number: 2,
  boolean: 3,
  array: 4,
  object: 5,
}

/** jsonb's order: by kind, then arrays and objects by size, then by content. Empty arrays come before null. */
function compareJson(a: string, b: string): number {
  const [left, right] = [nodeOf(a), nodeOf(b)]
  if (left.kind === 'array' && right.kind === 'array') return compareArrays(left.items, right.items)
  if (left.kind === 'object' && right.kind === 'object') {
    return compareObjects(left.members, right.members)
  }
  if (left.kind !== right.kind) return rankOf(left) - rankOf(right)
  switch (left.kind) {
    case 'number':
      return compare(decimalOf(numberText(left)), decimalOf(numberText(right)))
    case 'string':
      return compareTexts(asText(a) ?? '', asText(b) ?? '')
    case 'boolean':
      return Number(textOfNode(left) === 'true') - Number(textOfNode(right) === 'true')
    default:
      return 0
  }
}

function rankOf(node: JsonNode): number {
  return node.kind === 'array' && node.items.length === 0 ? -1 : rank[node.kind]
}

function numberText(node: JsonNode): string {
  const value = readDecimal(textOfNode(node))
  if (value === undefined) throw sqlError('22P02', 'a stored JSON number cannot be read')
  return decimalText(value)
}

function compareTexts(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function compareArrays(a: readonly string[], b: readonly string[]): number {
  if (a.length !== b.length) return a.length - b.length
  for (const [i, item] of a.entries()) {
    const order = compareJson(item, b[i] ?? 'null')
    if (order !== 0) return order
  }
  return 0
}

/** Pairs in stored order (shorter keys first): key, then value. */
function compareObjects(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): number {
  if (a.size !== b.size) return a.size - b.size
  const [left, right] = [sorted(a), sorted(b)]
  for (const [i, [key, value]] of left.entries()) {
    const [otherKey = '', otherValue = 'null'] = right[i] ?? []
    const order = compareKeys(key, otherKey) || compareJson(value, otherValue)
    if (order !== 0) return order
  }
  return 0
}

function sorted(members: ReadonlyMap<string, string>): readonly (readonly [string, string])[] {
  return [...members].toSorted(([a], [b]) => compareKeys(a, b))
}

function compareKeys(a: string, b: string): number {
  return Buffer.byteLength(a) - Buffer.byteLength(b) || compareTexts(a, b)
}

/** `||` on jsonb: objects merge one level deep, everything else becomes one array. */
function concatenate(a: string, b: string): string {
  const [left, right] = [nodeOf(a), nodeOf(b)]
  if (left.kind === 'object' && right.kind === 'object') {
    return jsonbObject(new Map([...left.members, ...right.members]))
  }
  const items = (node: JsonNode) => (node.kind === 'array' ? node.items : [textOfNode(node)])
  return jsonbArray([...items(left), ...items(right)])
}

function deleteKeys(text: string, keys: ReadonlySet<string>): string {
  const node = nodeOf(text)
  if (node.kind === 'object') {
    return jsonbObject(new Map([...node.members].filter(([key]) => !keys.has(key))))
  }
  if (node.kind !== 'array') throw sqlError('22023', 'cannot delete from scalar')
  return jsonbArray(
    node.items.filter((item) => !(nodeOf(item).kind === 'string' && keys.has(asText(item) ?? ''))),
  )
}

function deleteIndex(text: string, index: number): string {
  const node = nodeOf(text)
  if (node.kind === 'object')
    throw sqlError('22023', 'cannot delete from object using integer index')
  if (node.kind !== 'array') throw sqlError('22023', 'cannot delete from scalar')
  const at = index < 0 ? node.items.length + index : index
  return jsonbArray(node.items.filter((_, i) => i !== at))
}

/** How `change` treats the end of a path: undefined takes the part away. */
type Edit = (old: string | undefined) => string | undefined

interface EditOptions {
  readonly edit: Edit
  /** May an object get a new key, an array a new item at its end (or start)? */
  readonly mayAdd: boolean
}

/** jsonb_set and `#-`: walks down a path and edits what is at its end. */
function change(text: string, path: readonly string[], options: EditOptions): string {
  const node = nodeOf(text)
  const [step, ...rest] = path
  if (step === undefined) return text
  if (node.kind === 'object') return changeMember(node.members, step, rest, options)
  if (node.kind === 'array') return changeItem(node.items, step, rest, options)
  return text
}

function changeMember(
  members: ReadonlyMap<string, string>,
  key: string,
  rest: readonly string[],
  options: EditOptions,
): string {
  const old = members.get(key)
  const result = new Map(members)
  if (rest.length > 0) {
    if (old !== undefined) result.set(key, change(old, rest, options))
    return jsonbObject(result)
  }
  if (old === undefined && !options.mayAdd) return jsonbObject(members)
  const value = options.edit(old)
  if (value === undefined) result.delete(key)
  else result.set(key, value)
  return jsonbObject(result)
}

function changeItem(
  items: readonly string[],
  step: string,
  rest: readonly string[],
  options: EditOptions,
): string {
  if (!/^-?\d+$/.test(step)) {
    throw sqlError('22P02', `path element is not an integer: "${step}"`)
  }
  const position = Number(step)
  const index = position < 0 ? items.length + position : position
  const old = index < 0 ? undefined : items[index]
  if (rest.length > 0) {
    if (old === undefined) return jsonbArray(items)
    return jsonbArray(items.with(index, change(old, rest, options)))
  }
  if (old === undefined) {
    const value = options.mayAdd ? options.edit(undefined) : undefined
    if (value === undefined) return jsonbArray(items)
    return jsonbArray(index < 0 ? [value, ...items] : [...items, value])
  }
  const value = options.edit(old)
  return jsonbArray(value === undefined ? items.toSpliced(index, 1) : items.with(index, value))
}

/** jsonb_insert: a new item before (or behind) one of an array, a new key of an object. */
function insertAt(text: string, path: readonly string[], value: string, isAfter: boolean): string {
  const last = path.at(-1)
  const parentPath = path.slice(0, -1)
  if (last === undefined) return text
  const parent = follow(text, parentPath)
  if (parent === null) return text
  const changed = insertInto(nodeOf(parent), last, value, isAfter)
  if (parentPath.length === 0) return changed
  return change(text, parentPath, { edit: () => changed, mayAdd: false })
}

function insertInto(node: JsonNode, step: string, value: string, isAfter: boolean): string {
  if (node.kind === 'object') {
    if (node.members.has(step)) throw sqlError('22023', 'cannot replace existing key')
    return jsonbObject(new Map([...node.members, [step, value]]))
  }
  if (node.kind !== 'array') return textOfNode(node)
  if (!/^-?\d+$/.test(step)) throw sqlError('22P02', `path element is not an integer: "${step}"`)
  const { items } = node
  const position = Number(step)
  const index = position < 0 ? items.length + position : position
  if (index < 0) return jsonbArray([value, ...items])
  const at = Math.min(isAfter ? index + 1 : index, items.length)
  return jsonbArray(items.toSpliced(at, 0, value))
}

function presentPath(value: UdfValue | undefined): readonly string[] {
  return pathOf(value).map((part) => {
    if (part === null) throw sqlError('22004', 'path element is null')
    return part
  })
}

function stripNulls(text: string): string {
  const node = nodeOf(text)
  if (node.kind === 'object') {
    const kept = [...node.members].filter(([, value]) => nodeOf(value).kind !== 'null')
    return jsonbObject(new Map(kept.map(([key, value]) => [key, stripNulls(value)])))
  }
  return node.kind === 'array' ? jsonbArray(node.items.map(stripNulls)) : textOfNode(node)
}

function arrayLength(text: string): bigint {
  const node = nodeOf(text)
  if (node.kind === 'array') return BigInt(node.items.length)
  throw sqlError(
    '22023',
    `cannot get array length of a ${node.kind === 'object' ? 'non-array' : 'scalar'}`,
  )
}

function itemsOf(text: string): readonly string[] {
  const node = nodeOf(text)
  if (node.kind === 'array') return node.items
  throw sqlError(
    '22023',
    `cannot extract elements from ${node.kind === 'object' ? 'an object' : 'a scalar'}`,
  )
}

function objectEntries(text: string): readonly (readonly [string, string])[] {
  const node = nodeOf(text)
  if (node.kind === 'object') return entriesOf(text)
  throw sqlError(
    '22023',
    node.kind === 'array'
      ? 'cannot deconstruct an array as an object'
      : 'cannot deconstruct a scalar',
  )
}

function keys(text: string, wanted: readonly string[], mode: 'any' | 'all'): boolean {
  const node = nodeOf(text)
  const has = (key: string) => {
    if (node.kind === 'object') return node.members.has(key)
    if (node.kind === 'array') {
      return node.items.some((item) => nodeOf(item).kind === 'string' && asText(item) === key)
    }
    return node.kind === 'string' && asText(text) === key
  }
  return mode === 'any' ? wanted.some(has) : wanted.every(has)
}

function wantedKeys(value: UdfValue | undefined): readonly string[] {
  return pathOf(value).filter((key) => key !== null)
}

function buildObject(args: readonly UdfValue[]): string {
  if (args.length % 2 === 1)
    throw sqlError('22023', 'argument list must have even number of elements')
  const members: string[] = []
  for (let i = 0; i < args.length; i += 2) {
    const key = args[i] ?? null
    if (key === null) throw sqlError('22004', 'null value not allowed for object key')
    members.push(`${jsonbString(textOf(key))} : ${fragment(args[i + 1])}`)
  }
  return `{${members.join(', ')}}`
}

function fragment(value: UdfValue | undefined): string {
  return value === null || value === undefined ? 'null' : textOf(value)
}

function isoText(text: string): string {
  return text.replace(' ', 'T')
}

/** Values are JSON text; arguments called fragments are JSON text too, NULL standing for JSON null. */
export const jsonFunctions: readonly UdfDefinition[] = [
  strict('pg_json_get', 2, (text, key) => get(textOf(text), key)),
  strict('pg_json_get_text', 2, (text, key) => asText(get(textOf(text), key))),
  strict('pg_json_path', 2, (text, path) => follow(textOf(text), pathOf(path))),
  strict('pg_json_path_text', 2, (text, path) => asText(follow(textOf(text), pathOf(path)))),
  strict('pg_jsonb', 1, (text) => canonical(textOf(text))),
  strict('pg_jsonb_text', 1, (text) => canonical(textOf(text))),
  strict('pg_json_from_text', 1, (text) => {
    canonical(textOf(text))
    return textOf(text)
  }),
  strict('pg_jsonb_contains', 2, (a, b) =>
    truth(contains(canonical(textOf(a)), canonical(textOf(b)))),
  ),
  strict('pg_jsonb_has_key', 2, (text, key) => truth(keys(textOf(text), [textOf(key)], 'any'))),
  strict('pg_jsonb_has_any', 2, (text, list) => truth(keys(textOf(text), wantedKeys(list), 'any'))),
  strict('pg_jsonb_has_all', 2, (text, list) => truth(keys(textOf(text), wantedKeys(list), 'all'))),
  strict('pg_jsonb_cmp', 2, (a, b) => BigInt(Math.sign(compareJson(textOf(a), textOf(b))))),
  strict('pg_jsonb_concat', 2, (a, b) => concatenate(canonical(textOf(a)), canonical(textOf(b)))),
  strict('pg_jsonb_delete_key', 2, (text, key) =>
    deleteKeys(canonical(textOf(text)), new Set([textOf(key)])),
  ),
  strict('pg_jsonb_delete_keys', 2, (text, list) =>
    deleteKeys(canonical(textOf(text)), new Set(wantedKeys(list))),
  ),
  strict('pg_jsonb_delete_index', 2, (text, index) =>
    deleteIndex(canonical(textOf(text)), Number(index)),
  ),
  strict('pg_jsonb_delete_path', 2, (text, path) =>
    change(canonical(textOf(text)), presentPath(path), { edit: () => undefined, mayAdd: false }),
  ),
  strictAny('pg_jsonb_set', (text, path, value, mayAdd) =>
    change(canonical(textOf(text)), presentPath(path), {
      edit: () => canonical(textOf(value)),
      mayAdd: mayAdd === undefined || mayAdd === 1n,
    }),
  ),
  strictAny('pg_jsonb_insert', (text, path, value, isAfter) =>
    insertAt(canonical(textOf(text)), presentPath(path), canonical(textOf(value)), isAfter === 1n),
  ),
  strict('pg_json_typeof', 1, (text) => nodeOf(textOf(text)).kind),
  strict('pg_json_array_length', 1, (text) => arrayLength(textOf(text))),
  strict('pg_jsonb_strip_nulls', 1, (text) => stripNulls(canonical(textOf(text)))),
  strict('pg_to_json_text', 1, (text) => jsonbString(textOf(text))),
  strict('pg_to_json_timestamp', 1, (text) => jsonbString(isoText(textOf(text)))),
  strict('pg_to_json_timestamptz', 1, (text) =>
    jsonbString(isoText(textOf(text)).replace(/\+00$/, '+00:00')),
  ),
  strict('pg_to_json_bytea', 1, (bytes) =>
    jsonbString(`\\x${Buffer.from(bytesOf(bytes)).toString('hex')}`),
  ),
  nullable('pg_json_build_array', (...fragments) => `[${fragments.map(fragment).join(', ')}]`),
  nullable('pg_json_build_object', (...args) => buildObject(args)),
  strict('pg_json_elements', 1, (text) => JSON.stringify(itemsOf(textOf(text)))),
  strict('pg_json_elements_text', 1, (text) => JSON.stringify(itemsOf(textOf(text)).map(asText))),
  strict('pg_json_entries', 1, (text) => JSON.stringify(objectEntries(textOf(text)))),
  strict('pg_json_entries_text', 1, (text) =>
    JSON.stringify(objectEntries(textOf(text)).map(([key, value]) => [key, asText(value)])),
  ),
  strict('pg_json_keys', 1, (text) =>
    JSON.stringify(objectEntries(textOf(text)).map(([key]) => key)),
  ),
]
