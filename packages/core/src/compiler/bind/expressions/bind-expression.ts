/** @module Binds expressions: names and untyped syntax in, the typed tree out. Unknown constructs are refused. */
import type { Node, ParamRef } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { boolType } from '../coercion/null-test.ts'
import { requireRowValues } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { nodeKind, onlyFields, positionOf } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { bindArray } from './bind-array.ts'
import { bindCall } from './bind-call.ts'
import { bindCast, bindCollate } from './bind-cast.ts'
import { bindColumn } from './bind-column.ts'
import { bindCase, bindCoalesce, bindExtremum } from './bind-conditional.ts'
import { bindGrouping } from './bind-grouping.ts'
import { bindLiteral } from './bind-literal.ts'
import { bindBoolExpr, bindBooleanTest, bindNullTest } from './bind-logic.ts'
import { bindOperator } from './bind-operator.ts'
import { bindSqlValueFunction } from './bind-request-time.ts'
import { bindRow } from './bind-row.ts'
import { bindSublink } from './bind-sublink.ts'
import { bindSubscript } from './bind-subscript.ts'

/**
 * Binds one expression. A bare literal, NULL or parameter may still be of type `unknown`: `coerceTo` and
 * `resolveUnknown` give it one.
 *
 * @throws {GatewayError} naming the construct and its 1-based character position.
 */
export function bindExpression(node: Node, environment: ExpressionEnvironment): Expression {
  const kind = nodeKind(node)
  if ('ColumnRef' in node) return bindColumn(node.ColumnRef, environment)
  if ('ParamRef' in node) return bindParameter(node.ParamRef, environment)
  if ('A_Const' in node) return bindLiteral(node.A_Const, environment)
  if ('A_Expr' in node) return bindOperator(node.A_Expr, environment, bindExpression)
  if ('FuncCall' in node) return bindCall(node.FuncCall, environment, bindExpression)
  if ('BoolExpr' in node) return bindBoolExpr(node.BoolExpr, environment, bindExpression)
  if ('NullTest' in node) return bindNullTest(node.NullTest, environment, bindExpression)
  if ('BooleanTest' in node) return bindBooleanTest(node.BooleanTest, environment, bindExpression)
  if ('TypeCast' in node) return bindCast(node.TypeCast, environment, bindExpression)
  if ('SubLink' in node) return bindSublink(node.SubLink, environment, bindExpression)
  if ('CaseExpr' in node) return bindCase(node.CaseExpr, environment, bindExpression)
  if ('CoalesceExpr' in node) return bindCoalesce(node.CoalesceExpr, environment, bindExpression)
  if ('MinMaxExpr' in node) return bindExtremum(node.MinMaxExpr, environment, bindExpression)
  if ('A_ArrayExpr' in node) {
    return bindArray(node.A_ArrayExpr, undefined, environment, bindExpression)
  }
  if ('RowExpr' in node) {
    requireRowValues(environment, 'a row constructor', positionOf(node))
    return bindRow(node.RowExpr, environment, bindExpression)
  }
  if ('A_Indirection' in node) return bindSubscript(node.A_Indirection, environment, bindExpression)
  if ('SQLValueFunction' in node) return bindSqlValueFunction(node.SQLValueFunction, environment)
  if ('GroupingFunc' in node) return bindGrouping(node.GroupingFunc, environment, bindExpression)
  if ('CollateClause' in node) return bindCollate(node.CollateClause, environment, bindExpression)
  throw refusedKind(kind, positionOf(node))
}

/** A condition: WHERE, ON, HAVING, FILTER. */
export function bindBoolean(node: Node, environment: ExpressionEnvironment): Expression {
  const condition = bindExpression(node, environment)
  const describe = `argument of ${environment.clause}`
  return coerceTo(condition, boolType, 'implicit', environment, describe)
}

/** The most that the wire protocol can carry. */
const maxParameters = 65_535

function bindParameter(reference: ParamRef, environment: ExpressionEnvironment): Expression {
  onlyFields(reference, 'a parameter', ['number', 'location'])
  const { number = 0, location: position } = reference
  if (number < 1 || number > maxParameters) {
    throw bindError(`there is no parameter $${number}`, { sqlState: '42P02', position })
  }
  const index = number - 1
  const type = environment.context.parameters.typeOf(index) ?? { oid: oids.unknown, typmod: -1 }
  return { kind: 'parameter', index, type, ...positioned(position) }
}

const constructNames: ReadonlyMap<string, string> = new Map([
  ['NamedArgExpr', 'a named argument here'],
  ['JsonObjectConstructor', 'JSON_OBJECT'],
  ['JsonArrayConstructor', 'JSON_ARRAY'],
  ['JsonArrayQueryConstructor', 'JSON_ARRAY'],
  ['JsonObjectAgg', 'JSON_OBJECTAGG'],
  ['JsonArrayAgg', 'JSON_ARRAYAGG'],
  ['JsonIsPredicate', 'IS JSON'],
  ['JsonFuncExpr', 'JSON_QUERY, JSON_VALUE and JSON_EXISTS'],
  ['JsonParseExpr', 'JSON()'],
  ['JsonScalarExpr', 'JSON_SCALAR'],
  ['JsonSerializeExpr', 'JSON_SERIALIZE'],
  ['XmlExpr', 'XML'],
  ['XmlSerialize', 'XML'],
  ['MergeSupportFunc', 'MERGE'],
  ['MultiAssignRef', 'an assignment to several columns here'],
])

function refusedKind(kind: string, position: number | undefined): Error {
  if (kind === 'SetToDefault') {
    return bindError('DEFAULT is not allowed in this context', { sqlState: '42601', position })
  }
  return unsupported(constructNames.get(kind) ?? `this construct (${kind})`, position)
}
