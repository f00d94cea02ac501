/** @module Order, equality and containment of jsonb. */
import { compare, decimalOf, decimalText, readDecimal } from './decimal.ts'
import { asText } from './json-read.ts'
import { type JsonNode, nodeOf, textOfNode } from './json-text.ts'
import { sqlError } from './sql-error.ts'

/** `@>` on jsonb: objects by member, arrays by item in any order; an array contains a scalar item of its own. */
export function contains(outer: string, inner: string, isTop = true): boolean {
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
export function compareJson(a: string, b: string): number {
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
