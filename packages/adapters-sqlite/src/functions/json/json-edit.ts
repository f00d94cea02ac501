/** @module Changes of jsonb values: concatenation, deletion, jsonb_set and jsonb_insert. */
import { jsonbArray, jsonbObject } from '@engine/core/values'
import { sqlError } from '../register/sql-error.ts'
import { asText, follow } from './json-read.ts'
import { type JsonNode, nodeOf, textOfNode } from './json-text.ts'

/** `||` on jsonb: objects merge one level deep, all other values become one array. */
export function concatenate(a: string, b: string): string {
  const [left, right] = [nodeOf(a), nodeOf(b)]
  if (left.kind === 'object' && right.kind === 'object') {
    return jsonbObject(new Map([...left.members, ...right.members]))
  }
  const items = (node: JsonNode) => (node.kind === 'array' ? node.items : [textOfNode(node)])
  return jsonbArray([...items(left), ...items(right)])
}

export function deleteKeys(text: string, keys: ReadonlySet<string>): string {
  const node = nodeOf(text)
  if (node.kind === 'object') {
    return jsonbObject(new Map([...node.members].filter(([key]) => !keys.has(key))))
  }
  if (node.kind !== 'array') throw sqlError('22023', 'cannot delete from scalar')
  return jsonbArray(
    node.items.filter((item) => !(nodeOf(item).kind === 'string' && keys.has(asText(item) ?? ''))),
  )
}

export function deleteIndex(text: string, index: number): string {
  const node = nodeOf(text)
  if (node.kind === 'object')
    throw sqlError('22023', 'cannot delete from object using integer index')
  if (node.kind !== 'array') throw sqlError('22023', 'cannot delete from scalar')
  const at = index < 0 ? node.items.length + index : index
  return jsonbArray(node.items.filter((_, i) => i !== at))
}

/** The change at the end of a path: undefined removes the part. */
type Edit = (old: string | undefined) => string | undefined

interface EditOptions {
  readonly edit: Edit
  /** May an object get a new key, an array a new item at its end (or start)? */
  readonly mayAdd: boolean
}

/** jsonb_set and `#-`: follows a path and edits the value at its end. */
export function change(text: string, path: readonly string[], options: EditOptions): string {
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

/** jsonb_insert: a new item before (or after) one of an array, a new key of an object. */
export function insertAt(
  text: string,
  path: readonly string[],
  value: string,
  isAfter: boolean,
): string {
  const last = path.at(-1)
  const parentPath = path.slice(0, -1)
  if (last === undefined) return text
  requirePositions(text, parentPath)
  const parent = follow(text, parentPath)
  if (parent === null) return text
  const changed = insertInto(nodeOf(parent), last, value, isAfter)
  if (parentPath.length === 0) return changed
  return change(text, parentPath, { edit: () => changed, mayAdd: false })
}

/** Items of arrays are identified by numbers. */
function requirePositions(text: string, path: readonly string[]): void {
  for (const [index, step] of path.entries()) {
    const parent = follow(text, path.slice(0, index))
    if (parent === null) return
    if (nodeOf(parent).kind === 'array' && !/^-?\d+$/.test(step)) {
      throw sqlError('22P02', `path element at position ${index + 1} is not an integer: "${step}"`)
    }
  }
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
