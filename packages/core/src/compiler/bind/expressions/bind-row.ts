/** @module `(a, b)` and `row(a, b)`. */
import type { Node, RowExpr } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { CoercionContext } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo, resolveUnknown } from '../coercion/coerce.ts'
import { fieldsOfType, typeOfRow } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { undeterminedParameter } from '../scope/parameter-types.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { type BindNode, nameParts, onlyFields } from '../scope/syntax-node.ts'
import type { Expression, Row } from '../tree/expression.ts'
import { bindAllFields } from './bind-field.ts'

/** A row as one value. A literal in it is text, a parameter stays untyped. */
export function bindRow(node: RowExpr, environment: ExpressionEnvironment, bind: BindNode): Row {
  onlyFields(node, 'a row', ['args', 'row_format', 'location'])
  const fields = bindFields(node.args ?? [], environment, bind).map((field) => {
    if (field.kind === 'parameter' && field.type.oid === oids.unknown) {
      throw undeterminedParameter(field.index, field.position)
    }
    return resolveUnknown(field, environment)
  })
  return { kind: 'row', fields, type: typeOfRow(fields), ...positioned(node.location) }
}

/**
 * A row that becomes a value of a composite type, or of a domain over one: `row(1, 'a')::pair`. Its literals and parameters have the
 * types of the attributes. A row of a table keeps the names of the table's columns.
 */
export function bindRowAs(
  node: RowExpr,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const attributes = fieldsOfType(target, environment.context.types)
  if (attributes === undefined) {
    return coerceTo(bindRow(node, environment, bind), target, conversion, environment)
  }
  const fields: Expression[] = []
  for (const arg of node.args ?? []) {
    const type = attributes[fields.length]?.type
    const columns = columnsOfStar(arg, environment, bind)
    if (columns !== undefined) fields.push(...columns.map(({ expression }) => expression))
    else if (type === undefined) fields.push(resolveUnknown(bind(arg, environment), environment))
    else if ('RowExpr' in arg) {
      fields.push(bindRowAs(arg.RowExpr, type, conversion, environment, bind))
    } else fields.push(coerceTo(bind(arg, environment), type, conversion, environment))
  }
  const row: Row = { kind: 'row', fields, type: typeOfRow(fields), ...positioned(node.location) }
  if (target.oid !== oids.record) return coerceTo(row, target, conversion, environment)
  if (fields.length !== attributes.length) {
    const message = `cannot cast a row of ${fields.length} fields to one of ${attributes.length}`
    throw bindError(message, { sqlState: '42846', position: node.location })
  }
  const typed = fields.map((field, i) => {
    const type = attributes[i]?.type ?? field.type
    return coerceTo(field, type, conversion, environment)
  })
  return { ...row, fields: typed, type: target }
}

/** The fields of a row; `t.*` is all columns of `t`. */
export function bindFields(
  nodes: readonly Node[],
  environment: ExpressionEnvironment,
  bind: BindNode,
): readonly Expression[] {
  return nodes.flatMap(
    (node) =>
      columnsOfStar(node, environment, bind)?.map(({ expression }) => expression) ?? [
        bind(node, environment),
      ],
  )
}

/** The columns of `t.*` or `(value).*`; undefined for anything else. */
export function columnsOfStar(
  node: Node,
  environment: ExpressionEnvironment,
  bind: BindNode,
): readonly NamedExpression[] | undefined {
  if ('A_Indirection' in node) return bindAllFields(node.A_Indirection, environment, bind)
  if (!('ColumnRef' in node)) return undefined
  const { fields = [], location: position } = node.ColumnRef
  const last = fields.at(-1)
  if (last === undefined || !('A_Star' in last)) return undefined
  const parts = nameParts(fields.slice(0, -1), 'this star', position)
  if (parts.length === 0) throw unsupported('a star here', position)
  return environment.scope.star(parts, position)
}
