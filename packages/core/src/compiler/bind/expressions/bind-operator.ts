/** @module Everything the grammar calls an operator expression. */
import type { A_Expr, Node } from '@pgsql/types'
import { positioned, unsupported } from '../../sql/bind-error.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { requireComparableRows } from '../coercion/comparable-rows.ts'
import { compareRows, distinctRows } from '../coercion/compare-rows.ts'
import { distinctTest } from '../coercion/distinct-test.ts'
import { foldRequestTime } from '../coercion/fold-request-time.ts'
import { boolType } from '../coercion/null-test.ts'
import {
  allowed,
  coerceOperand,
  comparisonCall,
  operatorCall,
  resolutionError,
} from '../coercion/operator-call.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, nameParts, onlyFields, required, rowFields } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { bindBetween } from './bind-between.ts'
import { bindInList } from './bind-in-list.ts'
import { regclassNumber } from './bind-regclass.ts'
import { bindFields } from './bind-row.ts'
import { compareWithSubquery, scalarSublink } from './bind-sublink.ts'

export function bindOperator(
  node: A_Expr,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'an operator', [
    'kind',
    'name',
    'lexpr',
    'rexpr',
    'rexpr_list_start',
    'rexpr_list_end',
    'location',
  ])
  const { kind, location: position } = node
  switch (kind) {
    case 'AEXPR_OP':
    case 'AEXPR_LIKE':
    case 'AEXPR_ILIKE':
    case 'AEXPR_SIMILAR':
      return bindPlain(node, environment, bind)
    case 'AEXPR_OP_ANY':
      return bindQuantifiedArray(node, 'any', environment, bind)
    case 'AEXPR_OP_ALL':
      return bindQuantifiedArray(node, 'all', environment, bind)
    case 'AEXPR_DISTINCT':
    case 'AEXPR_NOT_DISTINCT':
      return bindDistinct(node, kind === 'AEXPR_NOT_DISTINCT', environment, bind)
    case 'AEXPR_NULLIF':
      return bindNullIf(node, environment, bind)
    case 'AEXPR_IN':
      return bindInList(node, operatorName(node) === '<>', environment, bind)
    case 'AEXPR_BETWEEN':
    case 'AEXPR_NOT_BETWEEN':
    case 'AEXPR_BETWEEN_SYM':
    case 'AEXPR_NOT_BETWEEN_SYM':
      return bindBetween(node, kind, environment, bind)
    default:
      throw unsupported('this operator', position)
  }
}

/** The operator's name; `OPERATOR(schema.name)` is refused. */
function operatorName(node: A_Expr): string {
  const parts = nameParts(node.name, 'this operator', node.location)
  const [name] = parts
  if (name === undefined || parts.length > 1) {
    throw unsupported(`a schema-qualified operator (${parts.join('.')})`, node.location)
  }
  return name
}

function bindPlain(node: A_Expr, environment: ExpressionEnvironment, bind: BindNode): Expression {
  const name = operatorName(node)
  const { location: position, lexpr } = node
  const rexpr = required(node.rexpr, `operator ${name}`, position)
  const rows = bindRows(lexpr, rexpr, environment, bind)
  if (rows !== undefined) {
    return compareRows(name, rows.left, rows.right, position, environment)
  }
  const fields = rowFields(lexpr)
  const subquery = fields && scalarSublink(rexpr)
  if (fields !== undefined && subquery !== undefined) {
    return compareWithSubquery(name, fields, subquery, position, environment, bind)
  }
  const number = (each: Node) =>
    comparisons.has(name) ? regclassNumber(each, environment, bind) : undefined
  const operand = (each: Node) => number(each) ?? bind(each, environment)
  const left = lexpr && operand(lexpr)
  const call = operatorCall(name, left, operand(rexpr), position, environment)
  return environment.context.computesInZone ? call : foldRequestTime(call)
}

/** Operators that compare regclass by its number. */
const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Both sides field by field, when both are rows. */
function bindRows(
  left: Node | undefined,
  right: Node,
  environment: ExpressionEnvironment,
  bind: BindNode,
): { readonly left: readonly Expression[]; readonly right: readonly Expression[] } | undefined {
  const leftFields = rowFields(left)
  const rightFields = rowFields(right)
  if (leftFields === undefined || rightFields === undefined) return undefined
  return {
    left: bindFields(leftFields, environment, bind),
    right: bindFields(rightFields, environment, bind),
  }
}

function bindQuantifiedArray(
  node: A_Expr,
  quantifier: 'any' | 'all',
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const name = operatorName(node)
  const { location: position } = node
  const construct = quantifier.toUpperCase()
  const operand = bind(required(node.lexpr, construct, position), environment)
  const array = bind(required(node.rexpr, construct, position), environment)
  const { types } = environment.context
  const resolved = types.resolveArrayOperator(name, operand.type.oid, array.type.oid)
  if (!resolved.ok) throw resolutionError(resolved, position, 'operator')
  const element = elementOf(array.type, types)
  requireComparableRows(resolved.operator, operand.type, element, position, types)
  return {
    kind: 'quantifiedArray',
    operator: allowed(resolved.operator, position),
    quantifier,
    operand: coerceOperand(operand, resolved.leftOid, environment),
    array: coerceOperand(array, resolved.rightArrayOid, environment),
    type: boolType,
    ...positioned(position),
  }
}

function elementOf({ oid, typmod, fields }: SqlType, types: TypeSystem): SqlType {
  return { oid: types.elementTypeOid(oid) ?? oid, typmod, ...(fields && { fields }) }
}

function bindDistinct(
  node: A_Expr,
  negated: boolean,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { location: position } = node
  const lexpr = required(node.lexpr, 'IS DISTINCT FROM', position)
  const rexpr = required(node.rexpr, 'IS DISTINCT FROM', position)
  const rows = bindRows(lexpr, rexpr, environment, bind)
  if (rows !== undefined) {
    return distinctRows(rows.left, rows.right, negated, position, environment)
  }
  const left = bind(lexpr, environment)
  return distinctTest(left, bind(rexpr, environment), negated, position, environment)
}

function bindNullIf(node: A_Expr, environment: ExpressionEnvironment, bind: BindNode): Expression {
  const { location: position } = node
  const left = bind(required(node.lexpr, 'NULLIF', position), environment)
  const right = bind(required(node.rexpr, 'NULLIF', position), environment)
  const call = comparisonCall('=', left, right, 'NULLIF', position, environment)
  return {
    kind: 'nullIf',
    operator: call.operator,
    left: call.left,
    right: call.right,
    type: call.left.type,
    ...positioned(position),
  }
}
