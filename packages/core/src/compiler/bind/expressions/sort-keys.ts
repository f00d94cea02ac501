import type { Node, SortBy } from '@pgsql/types'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { resolveUnknown } from '../coercion/coerce.ts'
import { comparedTypes } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { nameParts, onlyFields, required } from '../scope/syntax-node.ts'
import type { SortKey } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'

/**
 * The keys of an ORDER BY, with PostgreSQL's null order filled in: last when ascending, first when descending.
 *
 * @param bindKey binds one key: an output column, a position or an expression.
 * @throws {GatewayError} `badRequest` (42883) for a type that cannot be sorted.
 */
export function bindSortKeys(
  sortClause: readonly Node[] | undefined,
  environment: ExpressionEnvironment,
  bindKey: (node: Node) => Expression,
): readonly SortKey[] {
  return bindUntypedSortKeys(sortClause, bindKey).map((key) => sortable(key, environment))
}

/** The same, before an untyped literal or parameter becomes text: `sortable` makes sort keys of them. */
export function bindUntypedSortKeys(
  sortClause: readonly Node[] | undefined,
  bindKey: (node: Node) => Expression,
): readonly SortKey[] {
  return (sortClause ?? []).map((node) => {
    if (!('SortBy' in node)) throw unsupported('this ORDER BY', undefined)
    return bindSortKey(node.SortBy, bindKey)
  })
}

/** @throws {GatewayError} `badRequest` (42883) for a type that cannot be sorted. */
export function sortable(key: SortKey, environment: ExpressionEnvironment): SortKey {
  const expression = resolveUnknown(key.expression, environment)
  requireOrdering(expression, environment)
  return { ...key, expression }
}

function bindSortKey(sortBy: SortBy, bindKey: (node: Node) => Expression): SortKey {
  onlyFields(sortBy, 'ORDER BY', ['node', 'sortby_dir', 'sortby_nulls', 'useOp', 'location'])
  const { sortby_dir: direction, sortby_nulls: nulls, useOp, location } = sortBy
  const expression = bindKey(required(sortBy.node, 'ORDER BY', location))
  const descending =
    direction === 'SORTBY_USING' ? isGreater(useOp, location) : direction === 'SORTBY_DESC'
  switch (nulls) {
    case 'SORTBY_NULLS_FIRST':
      return { expression, descending, nullsFirst: true }
    case 'SORTBY_NULLS_LAST':
      return { expression, descending, nullsFirst: false }
    default:
      return { expression, descending, nullsFirst: descending }
  }
}

/** `USING >` is DESC, `USING <` is ASC. */
function isGreater(useOp: SortBy['useOp'], position: number | undefined): boolean {
  const name = nameParts(useOp, 'this operator', position).join('.')
  if (name === '>' || name === '<') return name === '>'
  throw unsupported(`ORDER BY ... USING ${name}`, position)
}

/** @throws {GatewayError} `badRequest` (42883) for a type that cannot be sorted. */
export function requireOrdering(expression: Expression, environment: ExpressionEnvironment): void {
  requireComparison('ordering', expression.type, expression.position, environment)
}

/** @throws {GatewayError} `badRequest` (42883) for a type whose values cannot be compared for equality. */
export function requireEquality(expression: Expression, environment: ExpressionEnvironment): void {
  requireComparison('equality', expression.type, expression.position, environment)
}

/** Rows are compared field by field. */
function requireComparison(
  kind: 'ordering' | 'equality',
  type: SqlType,
  position: number | undefined,
  environment: ExpressionEnvironment,
): void {
  const { types } = environment.context
  const culprit = comparedTypes(type, types).find(({ oid }) => {
    const comparison = types.comparison(oid)
    return (kind === 'ordering' ? comparison?.less : comparison) === undefined
  })
  if (culprit === undefined) return
  const message = `could not identify an ${kind} operator for type ${types.formatType(culprit.oid)}`
  throw bindError(message, { sqlState: '42883', position })
}
