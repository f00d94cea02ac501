/** @module `@>` of jsonb. */
import { nodeOf } from './json-text.ts'
import { jsonbKey } from './jsonb-key.ts'

/** `@>` on jsonb: objects by member, arrays by item in any order; an array contains its own scalar items. */
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
    return left.items.some((own) => isEqual(own, inner))
  }
  return left.kind === right.kind && isEqual(outer, inner)
}

function isEqual(a: string, b: string): boolean {
  return Buffer.compare(jsonbKey(a), jsonbKey(b)) === 0
}
