/** @module `x IN (a, b, c)` and `(x, y) IN ((a, b), (c, d))`. */
import type { A_Expr, Node } from '@pgsql/types'
import { positioned, unsupported } from '../../sql/bind-error.ts'
import { compareRows } from '../coercion/compare-rows.ts'
import { joinLogical } from '../coercion/join-logical.ts'
import { boolType } from '../coercion/null-test.ts'
import { type Comparison, coerceOperand, comparisonCall } from '../coercion/operator-call.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, listItems, positionOf, required, rowFields } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { limitCopies } from '../tree/limit-copies.ts'
import { freeRelationsOf, visitExpression } from '../tree/visit-query.ts'
import { regclassNumber } from './bind-regclass.ts'
import { bindRepeatedly } from './bind-repeatedly.ts'
import { bindFields } from './bind-row.ts'

/** The most nodes that the copies of a left-hand row may have: one copy for every row of the list. */
const maxCopiedNodes = 200_000

export function bindInList(
  node: A_Expr,
  negated: boolean,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { location: position } = node
  const lexpr = required(node.lexpr, 'IN', position)
  const items = listItems(node.rexpr, 'this IN', position)
  const row = rowFields(lexpr)
  return row === undefined
    ? bindScalarList(lexpr, items, negated, position, environment, bind)
    : bindRowList(row, items, negated, position, environment, bind)
}

/** As in PostgreSQL: items without columns share one type, the others are compared one by one. */
function bindScalarList(
  operandNode: Node,
  itemNodes: readonly Node[],
  negated: boolean,
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const bound = (each: Node) => regclassNumber(each, environment, bind) ?? bind(each, environment)
  const operand = bound(operandNode)
  const items = itemNodes.map(bound)
  const isLocal = (item: Expression) => hasLocalColumn(item, environment)
  const plain = items.filter((item) => !isLocal(item))
  const name = negated ? '<>' : '='
  const compare = (left: Expression, item: Expression) =>
    comparisonCall(name, left, item, 'IN', position, environment)

  const shared = toSharedType(operand, plain, environment)
  const compared = (shared ?? []).map((item) => compare(operand, item))
  const typed = shared === undefined ? operand : typedByNow(operand, environment)
  // An item after an equal one is not computed: the order of the items stays.
  const others = shared === undefined ? items : items.filter(isLocal)
  const groups = groupByOperator([...compared, ...others.map((item) => compare(typed, item))])
  const nextOperand = bindRepeatedly(operandNode, groups.length, environment, bind)
  const tests = groups.map((group, i) => {
    const [first] = group
    const left = i === 0 ? first.left : compare(nextOperand(), first.right).left
    return listTest(left, group, negated, position, environment)
  })
  return joinLogical(negated ? 'and' : 'or', tests, position)
}

function hasLocalColumn(expression: Expression, environment: ExpressionEnvironment): boolean {
  return [...freeRelationsOf(expression)].some((id) => environment.scope.isLocal(id))
}

/** A parameter whose type comes from the first items has that type for the others. */
function typedByNow(operand: Expression, environment: ExpressionEnvironment): Expression {
  if (operand.kind !== 'parameter') return operand
  const type = environment.context.parameters.typeOf(operand.index)
  return type === undefined ? operand : { ...operand, type }
}

/** The items as values of their common type (the operand's counts); undefined when there is none. */
function toSharedType(
  operand: Expression,
  items: readonly Expression[],
  environment: ExpressionEnvironment,
): readonly Expression[] | undefined {
  if (items.length < 2) return undefined
  const { types } = environment.context
  const common = types.commonType(
    [operand, ...items].map((item) => item.type.oid),
    'IN',
  )
  if (!common.ok || types.arrayTypeOid(common.oid) === undefined) return undefined
  return items.map((item) => coerceOperand(item, common.oid, environment))
}

type Group = readonly [Comparison, ...Comparison[]]

/** Adjacent comparisons with the same operator form one list. */
function groupByOperator(comparisons: readonly Comparison[]): readonly Group[] {
  const groups: [Comparison, ...Comparison[]][] = []
  let lastKey = ''
  for (const comparison of comparisons) {
    const key = `${comparison.operator.oid} ${comparison.left.type.oid}`
    const group = groups.at(-1)
    if (group === undefined || key !== lastKey) groups.push([comparison])
    else group.push(comparison)
    lastKey = key
  }
  return groups
}

function listTest(
  operand: Expression,
  group: Group,
  negated: boolean,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const [first, ...others] = group
  if (others.length === 0) return { ...first, left: operand }
  const equality = negated
    ? comparisonCall('=', operand, first.right, 'IN', position, environment)
    : first
  return {
    kind: 'inList',
    operator: equality.operator,
    operand,
    items: group.map((comparison) => comparison.right),
    negated,
    type: boolType,
    ...positioned(position),
  }
}

function bindRowList(
  fields: readonly Node[],
  itemNodes: readonly Node[],
  negated: boolean,
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const left = bindFields(fields, environment, bind)
  if (itemNodes.length > 1) {
    if (left.some(hasSubquery)) throw unsupported('a subquery in a row before IN', position)
    limitCopies(left, itemNodes.length, maxCopiedNodes, position)
  }
  const tests = itemNodes.map((item) => {
    const row = rowFields(item)
    if (row === undefined) throw unsupported('a row compared with something else', positionOf(item))
    const right = bindFields(row, environment, bind)
    return compareRows(negated ? '<>' : '=', left, right, position, environment)
  })
  return joinLogical(negated ? 'and' : 'or', tests, position)
}

function hasSubquery(expression: Expression): boolean {
  let isFound = false
  const mark = () => {
    isFound = true
  }
  visitExpression(expression, { query: mark })
  return isFound
}
