/** @module A field of a row: `(c).street`, `(t).id`, and all of them: `(c).*`. */
import type { A_Indirection, Node } from '@pgsql/types'
import { bindError, positioned } from '../../sql/bind-error.ts'
import type { RowField } from '../../sql-types/sql-type.ts'
import { fieldsOfType } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { NamedExpression } from '../scope/scope.ts'
import { type BindNode, onlyFields, positionOf, required } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { copyOfExpression } from '../tree/fresh-copy.ts'
import { limitCopies } from '../tree/limit-copies.ts'
import { bindColumnOrRow } from './bind-column.ts'
import { computedField } from './computed-field.ts'

/** The most nodes that the copies of the value before `.*` may have: one copy for each field. */
const maxCopiedNodes = 10_000

/**
 * One field of a row by its name.
 *
 * @throws {GatewayError} `badRequest` (42809) where the operand is no row, (42703) for a field that it does not have.
 */
export function fieldOf(
  operand: Expression,
  name: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const fields = requireFields(operand, `.${name}`, position, environment)
  const index = fields.findIndex((field) => field.name === name)
  const field = fields[index]
  if (field !== undefined) return fieldAt(operand, field, index, position, environment)
  const type = environment.context.types.formatType(operand.type.oid)
  const message =
    operand.type.fields === undefined
      ? `column "${name}" not found in data type ${type}`
      : `could not identify column "${name}" in record data type`
  throw bindError(message, { sqlState: '42703', position })
}

/** All fields of `(value).*`; undefined where the node has no star. */
export function bindAllFields(
  node: A_Indirection,
  environment: ExpressionEnvironment,
  bind: BindNode,
): readonly NamedExpression[] | undefined {
  const { indirection = [] } = node
  const last = indirection.at(-1)
  if (last === undefined || !('A_Star' in last)) return undefined
  onlyFields(node, 'a field', ['arg', 'indirection'])
  const arg = required(node.arg, 'a field')
  const position = positionOf(arg)
  const rest = indirection.slice(0, -1)
  const value: Node = rest.length === 0 ? arg : { A_Indirection: { arg, indirection: rest } }
  const operand =
    'ColumnRef' in value ? bindColumnOrRow(value.ColumnRef, environment) : bind(value, environment)
  const fields = requireFields(operand, '.*', position, environment)
  limitCopies([operand], fields.length, maxCopiedNodes, position)
  return fields.map((field, index) => {
    const row = index === 0 ? operand : copyOfExpression(operand, environment.context)
    return { name: field.name, expression: fieldAt(row, field, index, position, environment) }
  })
}

function requireFields(
  operand: Expression,
  notation: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): readonly RowField[] {
  const { types } = environment.context
  const fields = fieldsOfType(operand.type, types)
  if (fields !== undefined) return fields
  const type = types.formatType(operand.type.oid)
  const message = `column notation ${notation} applied to type ${type}, which is not a composite type`
  throw bindError(message, { sqlState: '42809', position })
}

/** A row that stands here has its fields at hand. */
function fieldAt(
  operand: Expression,
  { name, type }: RowField,
  index: number,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const own =
    operand.kind === 'row'
      ? operand.fields[index]
      : operand.kind === 'wholeRow'
        ? operand.fields[index]?.value
        : undefined
  if (own !== undefined) return own
  const isNamed = operand.kind === 'call' && operand.function.outputColumns !== undefined
  const { fields } = operand.type
  if (fields !== undefined && !isNamed) {
    return computedField(operand, fields, index, position, environment)
  }
  return { kind: 'field', operand, name, type, ...positioned(position) }
}
