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

function isSameObject(left: object, right: object, sameId: SameId): boolean {
  const leftFields = fieldsOf(left)
  const rightFields = fieldsOf(right)
  if (leftFields.size !== rightFields.size) return false
  return [...leftFields].every(
    ([name, value]) => rightFields.has(name) && isSame(value, rightFields.get(name), sameId, name),
  )
}

/** All fields except the position in the text and absent ones. */
function fieldsOf(value: object): ReadonlyMap<string, unknown> {
  return new Map(
    Object.entries(value).filter(([name, field]) => name !== 'position' && field !== undefined),
  )
}
