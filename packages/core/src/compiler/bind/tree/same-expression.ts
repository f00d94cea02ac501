import { chargePlanning } from '../../budget/planning-budget.ts'
import type { CteId, RelationId } from './bound-query.ts'
import type { Expression } from './expression.ts'
import { visitExpression } from './visit-query.ts'

/**
 * Are both the same, apart from their position in the text? Constants, parameters, columns and calls must be equal; subqueries
 * are equal when they differ only in the identities of their own relations.
 */
export function sameExpression(left: Expression, right: Expression): boolean {
  if (left === right) return true
  if (left.kind !== right.kind) return false
  // Most pairs differ in something other than identities: only then are these looked for.
  let hasOtherIds = false
  const isAlike = isSame(left, right, (a, b) => {
    hasOtherIds ||= a !== b
    return true
  })
  return isAlike && (!hasOtherIds || hasPartners(left, right))
}

/** Do they differ only in identities that their own subqueries define? */
function hasPartners(left: Expression, right: Expression): boolean {
  const leftIds = ownIds(left)
  const rightIds = ownIds(right)
  if (leftIds.length !== rightIds.length) return false
  const partners = new Map(leftIds.map((id, i) => [id, rightIds[i] ?? id]))
  return isSame(left, right, (a, b) => (partners.get(a) ?? a) === b)
}

/** Identities that the subqueries of the expression define, in the order of a walk. */
function ownIds(expression: Expression): readonly (RelationId | CteId)[] {
  const ids: number[] = []
  visitExpression(expression, {
    fromItem: (item) => {
      if (item.kind === 'join') return
      ids.push(item.id)
      if (item.kind === 'securedTable') ids.push(item.base)
    },
    query: (query) => {
      ids.push(...query.ctes.map((cte) => cte.id))
    },
  })
  return ids
}

/** Keys whose numbers are identities. */
const identityKeys: ReadonlySet<string> = new Set(['id', 'base', 'relation', 'relations', 'cte'])

type SameId = (left: number, right: number) => boolean

function isSame(left: unknown, right: unknown, sameId: SameId, key = ''): boolean {
  if (typeof left === 'number' && typeof right === 'number' && identityKeys.has(key)) {
    return sameId(left, right)
  }
  if (Object.is(left, right)) return true
  if (typeof left !== 'object' || typeof right !== 'object') return false
  if (left === null || right === null) return false
  chargePlanning(1)
  if (Array.isArray(left) && Array.isArray(right)) {
    const isEach = left.every((item, i) => isSame(item, right[i], sameId, key))
    return left.length === right.length && isEach
  }
  if (left instanceof Map && right instanceof Map) {
    return isSame([...left], [...right], sameId)
  }
  if (left instanceof Set && right instanceof Set) {
    return isSame([...left], [...right], sameId)
  }
  return isSameObject(left, right, sameId)
}

/** The position in the text and absent fields do not count. */
function isSameObject(left: object, right: object, sameId: SameId): boolean {
  const fields = left as Readonly<Record<string, unknown>>
  const others = right as Readonly<Record<string, unknown>>
  let count = 0
  for (const name in fields) {
    const value = fields[name]
    if (!isCompared(name, value)) continue
    const other = others[name]
    if (other === undefined || !isSame(value, other, sameId, name)) return false
    count += 1
  }
  for (const name in others) {
    if (isCompared(name, others[name])) count -= 1
  }
  return count === 0
}

function isCompared(name: string, value: unknown): boolean {
  return name !== 'position' && value !== undefined
}
