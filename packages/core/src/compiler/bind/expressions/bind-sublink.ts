/** @module Subqueries in expressions. */
import type { Node, SubLink } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { coerceQuery } from '../coercion/coerce-query.ts'
import { comparisonOfRows, isComparisonName } from '../coercion/compare-rows.ts'
import { boolType } from '../coercion/null-test.ts'
import { type Comparison, comparisonCall } from '../coercion/operator-call.ts'
import { bindInside } from '../scope/aggregate-level.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, nameParts, onlyFields, required, rowFields } from '../scope/syntax-node.ts'
import type { Query } from '../tree/bound-query.ts'
import type { ComparisonName, Expression, QuantifiedSubquery } from '../tree/expression.ts'
import { bindFields } from './bind-row.ts'

export function bindSublink(
  node: SubLink,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a subquery', ['subLinkType', 'testexpr', 'operName', 'subselect', 'location'])
  const { subLinkType, location: position } = node
  switch (subLinkType) {
    case 'EXISTS_SUBLINK': {
      const query = bindSubselect(node, environment)
      return { kind: 'exists', query, type: boolType, ...positioned(position) }
    }
    case 'EXPR_SUBLINK': {
      const query = bindSubselect(node, environment)
      const { type } = onlyColumn(query, position)
      return { kind: 'subquery', query, type, ...positioned(position) }
    }
    case 'ARRAY_SUBLINK':
      return bindArraySublink(node, environment)
    case 'ANY_SUBLINK':
      return bindQuantified(node, 'any', environment, bind)
    case 'ALL_SUBLINK':
      return bindQuantified(node, 'all', environment, bind)
    default:
      throw unsupported('this kind of subquery', position)
  }
}

function bindSubselect(node: SubLink, environment: ExpressionEnvironment): Query {
  const select = required(node.subselect, 'a subquery', node.location)
  if (!('SelectStmt' in select)) throw unsupported('this kind of subquery', node.location)
  const { context, scope } = environment
  return bindInside(environment, () => context.bindQuery(select.SelectStmt, scope, context))
}

function onlyColumn(query: Query, position: number | undefined): Query['columns'][number] {
  const [column, ...others] = query.columns
  if (column !== undefined && others.length === 0) return column
  throw bindError('subquery must return only one column', { sqlState: '42601', position })
}

function bindArraySublink(node: SubLink, environment: ExpressionEnvironment): Expression {
  const { location: position } = node
  const query = bindSubselect(node, environment)
  const { type: element } = onlyColumn(query, position)
  const { types } = environment.context
  const isArray = types.elementTypeOid(element.oid) !== undefined
  const oid = isArray ? element.oid : types.arrayTypeOid(element.oid)
  if (oid === undefined) {
    const message = `could not find array type for data type ${types.formatType(element.oid)}`
    throw bindError(message, { sqlState: '42704', position })
  }
  const { typmod, fields } = element
  const type = { oid, typmod, ...(fields && { fields }) }
  return { kind: 'arraySubquery', query, type, ...positioned(position) }
}

/** `x IN (select ...)`, `x = ANY (select ...)`, `(x, y) <> ALL (select ...)`. */
function bindQuantified(
  node: SubLink,
  quantifier: 'any' | 'all',
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const { location: position } = node
  const name = operatorName(node)
  if (!isComparisonName(name)) {
    throw unsupported(`${name} ${quantifier.toUpperCase()} with a subquery`, position)
  }
  const test = required(node.testexpr, quantifier.toUpperCase(), position)
  const operands = bindFields(rowFields(test) ?? [test], environment, bind)
  const query = bindSubselect(node, environment)
  const construct = `${quantifier.toUpperCase()} with a subquery`
  const calls = comparisonsWith(query, name, operands, construct, position, environment)
  return quantified(name, quantifier, calls, query, position, environment)
}

/** The subquery, if the node is a scalar subquery. */
export function scalarSublink(node: Node): SubLink | undefined {
  return 'SubLink' in node && node.SubLink.subLinkType === 'EXPR_SUBLINK' ? node.SubLink : undefined
}

/** `(a, b) > (select x, y ...)`. A row of one field is compared as that field. */
export function compareWithSubquery(
  name: string,
  fields: readonly Node[],
  node: SubLink,
  position: number | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a subquery', ['subLinkType', 'subselect', 'location'])
  const operands = bindFields(fields, environment, bind)
  const query = bindSubselect(node, environment)
  const calls = comparisonsWith(query, name, operands, 'a row comparison', position, environment)
  const [only, ...others] = calls
  if (only === undefined || others.length > 0) {
    const comparison = comparisonOfRows(name, calls, position, environment)
    return quantified(comparison, 'one', calls, query, position, environment)
  }
  const value: Expression = {
    kind: 'subquery',
    query: coerceQuery(query, [only.right.type], environment),
    type: only.right.type,
    ...positioned(node.location),
  }
  return { ...only, right: value }
}

/** Each operand compared with its column of the query. */
function comparisonsWith(
  query: Query,
  name: string,
  operands: readonly Expression[],
  construct: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): readonly Comparison[] {
  requireColumns(query, operands.length, position)
  return operands.flatMap((operand, i) => {
    const column = query.columns[i]
    if (column === undefined) return []
    const cell: Expression = { kind: 'output', index: i, type: column.type }
    return [comparisonCall(name, operand, cell, construct, position, environment)]
  })
}

function quantified(
  comparison: ComparisonName,
  quantifier: QuantifiedSubquery['quantifier'],
  calls: readonly Comparison[],
  query: Query,
  position: number | undefined,
  environment: ExpressionEnvironment,
): QuantifiedSubquery {
  return {
    kind: 'quantifiedSubquery',
    comparison,
    operators: calls.map((call) => call.operator),
    quantifier,
    operands: calls.map((call) => call.left),
    query: coerceQuery(
      query,
      calls.map((call) => call.right.type),
      environment,
    ),
    type: boolType,
    ...positioned(position),
  }
}

/** The grammar gives `IN` no operator; it means `=`. */
function operatorName(node: SubLink): string {
  if (node.operName === undefined) return '='
  const parts = nameParts(node.operName, 'this operator', node.location)
  const [name] = parts
  if (name === undefined || parts.length > 1) {
    throw unsupported(`a schema-qualified operator (${parts.join('.')})`, node.location)
  }
  return name
}

function requireColumns(query: Query, count: number, position: number | undefined): void {
  if (query.columns.length === count) return
  const amount = query.columns.length < count ? 'few' : 'many'
  throw bindError(`subquery has too ${amount} columns`, { sqlState: '42601', position })
}
