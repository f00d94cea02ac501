/**
 * @module The FULL JOINs that PostgreSQL supports: it merges or hashes, so a condition needs equalities between the two sides.
 * All other FULL JOINs are refused for every database.
 */

import { bindError } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgOperator } from '../../sql-types/pg-type.ts'
import type { FromItem, JoinItem, RelationId } from '../tree/bound-query.ts'
import type { Expression, OperatorCall } from '../tree/expression.ts'
import { relationsIn } from '../tree/from-items.ts'
import { sameValue } from '../tree/same-value.ts'
import { freeRelationsOf, visitExpression } from '../tree/visit-query.ts'
import { isVolatile } from '../tree/volatility.ts'

/**
 * @param filter the condition on the rows of the items: with it PostgreSQL may simplify the FULL JOIN, which is left to the
 *   database.
 * @throws {GatewayError} `badRequest` (0A000)
 */
export function checkFullJoins(items: readonly FromItem[], filter: Expression | undefined): void {
  const filters = filter === undefined ? [] : [filter]
  for (const item of items) checkItem(item, filters)
}

function checkItem(item: FromItem, filters: readonly Expression[]): void {
  if (item.kind !== 'join') return
  const { type, left, right, on } = item
  if (type === 'full' && on !== undefined && !isJoinable(on, item)) {
    const relations = relationsIn([item])
    if (!filters.some((filter) => mayRemoveNulls(filter, relations))) throw refusal()
  }
  const both = on === undefined ? filters : [...filters, on]
  checkItem(left, type === 'inner' || type === 'right' ? both : filters)
  checkItem(right, type === 'inner' || type === 'left' ? both : filters)
}

function refusal(): Error {
  const message = 'FULL JOIN is only supported with merge-joinable or hash-joinable join conditions'
  return bindError(message, { sqlState: '0A000', position: undefined })
}

function mayRemoveNulls(filter: Expression, relations: ReadonlySet<RelationId>): boolean {
  return conjunctsOf(filter).some(({ expression, isNegated }) => {
    const isNullTest = expression.kind === 'nullTest' && expression.negated === isNegated
    return !isNullTest && !freeRelationsOf(expression).isDisjointFrom(relations)
  })
}

/** A part of an AND; with `isNegated`, the negation of the part. */
interface Conjunct {
  readonly expression: Expression
  readonly isNegated: boolean
}

function conjunctsOf(expression: Expression, isNegated = false): readonly Conjunct[] {
  if (expression.kind === 'not') return conjunctsOf(expression.operand, !isNegated)
  const isAnd = expression.kind === 'logical' && (expression.operator === 'and') !== isNegated
  return isAnd
    ? expression.operands.flatMap((operand) => conjunctsOf(operand, isNegated))
    : [{ expression, isNegated }]
}

/** How a conjunct can be used: for both ways of joining, for merging only, or not at all. `never`: it is false. */
type Use = 'hash' | 'merge' | 'constant' | 'never' | 'none'

/** Hashing needs one equality; merging needs that there is nothing else. */
function isJoinable(on: Expression, join: JoinItem): boolean {
  const uses = usesOf(on, false, sidesOf(join))
  return uses.includes('hash') || uses.includes('never') || !uses.includes('none')
}

interface Sides {
  readonly left: ReadonlySet<RelationId>
  readonly right: ReadonlySet<RelationId>
}

function sidesOf({ left, right }: JoinItem): Sides {
  return { left: relationsIn([left]), right: relationsIn([right]) }
}

function usesOf(on: Expression, isNegated: boolean, sides: Sides): readonly Use[] {
  return conjunctsOf(on, isNegated).flatMap((conjunct) => usesOfConjunct(conjunct, sides))
}

function usesOfConjunct(conjunct: Conjunct, sides: Sides): readonly Use[] {
  const { expression, isNegated } = conjunct
  switch (expression.kind) {
    case 'constant':
      return [expression.value === (isNegated ? 'false' : 'true') ? 'constant' : 'never']
    case 'operator': {
      const compared = comparedWithTrue(expression)
      if (compared !== undefined) return usesOf(compared, isNegated, sides)
      const { operator, left, right } = expression
      if (operator.name !== (isNegated ? '<>' : '=') || left === undefined) break
      return [useOfEquality(operator, left, right, sides)]
    }
    case 'rowComparison':
      if (expression.comparison !== (isNegated ? '<>' : '=')) break
      return expression.operators.map((operator, i) => {
        const [left, right] = [expression.left[i], expression.right[i]]
        return left && right ? useOfEquality(operator, left, right, sides) : 'none'
      })
    case 'logical':
      // OR: the conjuncts common to all of its parts are taken out of it.
      if (expression.operands.some(isConstant)) return ['constant']
      if (hasCommonEquality(expression.operands, isNegated, sides)) return ['hash']
      break
    default:
  }
  return isConstant(expression) ? ['constant'] : ['none']
}

/** `x = true` is `x`. */
function comparedWithTrue({ operator, left, right }: OperatorCall): Expression | undefined {
  if (operator.name !== '=' || left === undefined) return undefined
  const isTrue = (side: Expression) =>
    side.kind === 'constant' && side.type.oid === oids.bool && side.value === 'true'
  if (isTrue(right)) return left
  return isTrue(left) ? right : undefined
}

function hasCommonEquality(
  operands: readonly Expression[],
  isNegated: boolean,
  sides: Sides,
): boolean {
  const [first, ...others] = operands.map((operand) => conjunctsOf(operand, isNegated))
  return (first ?? []).some(
    (conjunct) =>
      usesOfConjunct(conjunct, sides).includes('hash') &&
      others.every((other) =>
        other.some(
          ({ expression, isNegated: isOtherNegated }) =>
            isOtherNegated === conjunct.isNegated && sameValue(expression, conjunct.expression),
        ),
      ),
  )
}

/** Known before the first row is read. */
function isConstant(expression: Expression): boolean {
  if (freeRelationsOf(expression).size > 0 || isVolatile(expression)) return false
  let hasQuery = false
  visitExpression(expression, {
    query: () => {
      hasQuery = true
    },
  })
  return !hasQuery
}

function useOfEquality(
  operator: PgOperator,
  left: Expression,
  right: Expression,
  sides: Sides,
): Use {
  if (isConstant(left) && isConstant(right)) return 'constant'
  const isAcross =
    (isOf(left, sides.left, sides.right) && isOf(right, sides.right, sides.left)) ||
    (isOf(left, sides.right, sides.left) && isOf(right, sides.left, sides.right))
  if (!isAcross || isVolatile(left) || isVolatile(right)) return 'none'
  const types = operator.signature.slice(operator.name.length)
  if (areaTypes.has(types)) return 'none'
  return mergeOnlyTypes.has(types) ? 'merge' : 'hash'
}

function isOf(
  expression: Expression,
  side: ReadonlySet<RelationId>,
  other: ReadonlySet<RelationId>,
): boolean {
  const relations = freeRelationsOf(expression)
  return !relations.isDisjointFrom(side) && relations.isDisjointFrom(other)
}

/** Operands whose `=` compares areas or lengths. */
const areaTypes: ReadonlySet<string> = new Set([
  '(lseg,lseg)',
  '(path,path)',
  '(box,box)',
  '(line,line)',
  '(circle,circle)',
])

/** Operands that can be sorted but not hashed alike. */
const mergeOnlyTypes: ReadonlySet<string> = new Set([
  '(money,money)',
  '(bit,bit)',
  '(varbit,varbit)',
  '(tsvector,tsvector)',
  '(tsquery,tsquery)',
  '(date,timestamp)',
  '(date,timestamptz)',
  '(timestamp,date)',
  '(timestamp,timestamptz)',
  '(timestamptz,date)',
  '(timestamptz,timestamp)',
])
