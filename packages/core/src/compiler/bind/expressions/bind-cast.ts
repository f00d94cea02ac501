/** @module CAST, :: and literals with a type before them. */
import type { CollateClause, Node, TypeCast } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo, resolveUnknown } from '../coercion/coerce.ts'
import { haveSameFields, requireRowValues } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, nameParts, onlyFields, positionOf, required } from '../scope/syntax-node.ts'
import { bindTypeName } from '../scope/type-name.ts'
import type { Expression } from '../tree/expression.ts'
import { isTableName } from '../tree/table-name.ts'
import { bindArray } from './bind-array.ts'
import { bindRegclass, isRegclassCast } from './bind-regclass.ts'
import { bindRowAs } from './bind-row.ts'

export function bindCast(
  node: TypeCast,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a cast', ['arg', 'typeName', 'location'])
  const { typeName, location: position } = node
  if (typeName === undefined) throw unsupported('a cast without a type', position)
  if (isRegclassCast(node)) return bindRegclass(node, environment, bind)
  const arg = required(node.arg, 'a cast', position)
  const target = bindTypeName(typeName, environment.context)
  if (target.fields !== undefined) return castToRow(arg, target, environment, bind)
  if ('RowExpr' in arg) {
    requireRowValues(environment, 'a row constructor', position)
    return bindRowAs(arg.RowExpr, target, 'explicit', environment, bind)
  }
  const arrayTarget = 'A_ArrayExpr' in arg ? arrayTypeOf(target, environment) : undefined
  const operand =
    'A_ArrayExpr' in arg && arrayTarget !== undefined
      ? bindArray(arg.A_ArrayExpr, arrayTarget, environment, bind)
      : bind(arg, environment)
  if (isTableName(operand) && target.oid === oids.text) {
    return { ...operand, isTableName: undefined }
  }
  return coerceTo(operand, target, 'explicit', environment)
}

/**
 * `null::orders`, `row(1, 'new')::orders`, `o::orders`: a row of a table.
 *
 * @throws {GatewayError} `badRequest` (42846) for a row with another number of fields, and for a value that is none.
 */
function castToRow(
  arg: Node,
  target: SqlType,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  const position = positionOf(arg)
  requireRowValues(environment, 'a row of a table as a type', position)
  if ('RowExpr' in arg) return bindRowAs(arg.RowExpr, target, 'explicit', environment, bind)
  const operand = bind(arg, environment)
  const { type } = operand
  if (operand.kind === 'constant' && operand.value === null && type.oid === oids.unknown) {
    return { ...operand, type: target }
  }
  if (type.oid === oids.record && haveSameFields(type, target)) return operand
  if (type.oid === oids.record || type.oid === oids.unknown) {
    throw unsupported('a cast of this value to a row of a table', position)
  }
  const from = environment.context.types.formatType(type.oid)
  throw bindError(`cannot cast type ${from} to a row of a table`, { sqlState: '42846', position })
}

/** The array type, also of a domain over an array; undefined for a scalar. */
function arrayTypeOf(target: SqlType, environment: ExpressionEnvironment): SqlType | undefined {
  const { types } = environment.context
  const oid = types.baseTypeOid(target.oid)
  return types.elementTypeOid(oid) === undefined ? undefined : { oid, typmod: target.typmod }
}

/** `COLLATE "C"`, the only order of text that all databases share. */
export function bindCollate(
  node: CollateClause,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'COLLATE', ['arg', 'collname', 'location'])
  const { location: position } = node
  const name = nameParts(node.collname, 'this collation', position).join('.')
  if (name !== 'C' && name !== 'pg_catalog.C') {
    throw unsupported(`the collation "${name}"`, position)
  }
  const operand = resolveUnknown(
    bind(required(node.arg, 'COLLATE', position), environment),
    environment,
  )
  const { types } = environment.context
  if (types.typeByOid(types.baseTypeOid(operand.type.oid))?.isCollatable !== true) {
    const message = `collations are not supported by type ${types.formatType(operand.type.oid)}`
    throw bindError(message, { sqlState: '42804', position })
  }
  return { kind: 'collate', operand, type: operand.type, ...positioned(position) }
}
