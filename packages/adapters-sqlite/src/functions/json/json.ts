/** @module json and jsonb. Every value is JSON text; jsonb results have PostgreSQL's jsonb spelling. */
import { jsonbArray, jsonbObject, jsonbString } from '@engine/core/values'
import { sqlError } from '../register/sql-error.ts'
import {
  strict,
  strictAny,
  textOf,
  truth,
  type UdfDefinition,
  type UdfValue,
} from '../register/udf.ts'
import { contains } from './json-contains.ts'
import { change, concatenate, deleteIndex, deleteKeys, insertAt } from './json-edit.ts'
import { asText, follow, get } from './json-read.ts'
import { canonical, entriesOf, nodeOf, textOfNode } from './json-text.ts'

function keyOf(value: UdfValue | undefined): bigint | string {
  return typeof value === 'bigint' ? value : textOf(value)
}

/** `->` on jsonb, where a scalar counts as an array of one. */
function getBinary(text: string, key: UdfValue | undefined): string | null {
  const { kind } = nodeOf(text)
  const isScalar = kind !== 'object' && kind !== 'array'
  if (isScalar && (key === 0n || key === -1n)) return text
  return get(text, keyOf(key))
}

/** A text[] in its stored form: a JSON array of strings. */
function pathOf(value: UdfValue | undefined): readonly (string | null)[] {
  const parsed: unknown = JSON.parse(textOf(value))
  if (!Array.isArray(parsed)) throw sqlError('22P02', 'a list of keys was expected')
  return parsed.map((part) => (part === null ? null : String(part)))
}

function presentPath(value: UdfValue | undefined): readonly string[] {
  return pathOf(value).map((part) => {
    if (part === null) throw sqlError('22004', 'path element is null')
    return part
  })
}

function notScalar(text: string): string {
  const { kind } = nodeOf(text)
  if (kind === 'object' || kind === 'array') return text
  throw sqlError('22023', 'cannot set path in scalar')
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

function isoText(text: string): string {
  return text.replace(' ', 'T')
}

/** Values are JSON text; arguments called fragments are JSON text, too, and a NULL fragment is JSON null. */
export const jsonFunctions: readonly UdfDefinition[] = [
  strict('pg_json_get', 2, (text, key) => get(textOf(text), keyOf(key))),
  strict('pg_json_get_text', 2, (text, key) => asText(get(textOf(text), keyOf(key)))),
  strict('pg_jsonb_get', 2, (text, key) => getBinary(textOf(text), key)),
  strict('pg_jsonb_get_text', 2, (text, key) => asText(getBinary(textOf(text), key))),
  strict('pg_json_path', 2, (text, path) => follow(textOf(text), pathOf(path))),
  strict('pg_json_path_text', 2, (text, path) => asText(follow(textOf(text), pathOf(path)))),
  strict('pg_jsonb', 1, (text) => canonical(textOf(text))),
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
    change(notScalar(canonical(textOf(text))), presentPath(path), {
      edit: () => undefined,
      mayAdd: false,
    }),
  ),
  strictAny('pg_jsonb_set', (text, path, value, mayAdd) =>
    change(notScalar(canonical(textOf(text))), presentPath(path), {
      edit: () => canonical(textOf(value)),
      mayAdd: mayAdd === undefined || mayAdd === 1n,
    }),
  ),
  strictAny('pg_jsonb_insert', (text, path, value, isAfter) =>
    insertAt(
      notScalar(canonical(textOf(text))),
      presentPath(path),
      canonical(textOf(value)),
      isAfter === 1n,
    ),
  ),
  strict('pg_json_typeof', 1, (text) => nodeOf(textOf(text)).kind),
  strict('pg_json_array_length', 1, (text) => arrayLength(textOf(text))),
  strict('pg_jsonb_strip_nulls', 1, (text) => stripNulls(canonical(textOf(text)))),
  strict('pg_to_json_text', 1, (text) => jsonbString(textOf(text))),
  strict('pg_to_json_timestamp', 1, (text) => jsonbString(isoText(textOf(text)))),
  strict('pg_to_json_timestamptz', 1, (text) =>
    jsonbString(isoText(textOf(text)).replace(/\+00$/, '+00:00')),
  ),
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
