/**
 * @module A field of a record that was computed before: of a column of a subquery, a CASE, a subscript. PostgreSQL does not know the
 * fields of such a value; a column definition list names them:
 *
 *     (s.r).b   -->   (select c2 from unnest(array[s.r]) as t(c1 int4, c2 text))
 */
import { unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import { recordOf } from '../../sql-types/record-type.ts'
import type { RowField } from '../../sql-types/sql-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { selectFrom } from '../scope/select-over.ts'
import type { FromItem } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import { partsOf } from '../tree/expression-parts.ts'

/**
 * @param fields those of the operand
 * @throws {GatewayError} `unsupported` for the result of an aggregate, a window function or a function that returns a set: these
 *   belong to the query around, not to a subquery.
 */
export function computedField(
  operand: Expression,
  fields: readonly RowField[],
  index: number,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  if (belongsToQuery(operand)) {
    throw unsupported('a field of a row that a function of several rows makes', position)
  }
  const type = { oid: oids.recordArray, typmod: -1, fields }
  const array: Expression = { kind: 'array', elements: [operand], type }
  const found = environment.context.types.resolveFunction('unnest', [oids.recordArray])
  if (!found.ok || found.kind === 'cast') throw unsupported('a field of a computed row', position)
  const call: Expression = {
    kind: 'call',
    function: found.function,
    args: [array],
    type: recordOf(fields),
  }
  const id = environment.context.nextId()
  const item: FromItem = { kind: 'function', id, call, columns: fields, withOrdinality: false }
  const { name = '', type: fieldType = operand.type } = fields[index] ?? {}
  return {
    kind: 'subquery',
    query: selectFrom(item, {
      columns: [{ name, type: fieldType }],
      outputs: [{ kind: 'column', relation: id, column: index, type: fieldType }],
    }),
    type: fieldType,
  }
}

/** Queries inside of the operand have calls of their own. */
function belongsToQuery(operand: Expression): boolean {
  const isSet = operand.kind === 'call' && operand.function.returnsSet
  if (operand.kind === 'aggregate' || operand.kind === 'window' || isSet) return true
  return partsOf(operand).expressions.some(belongsToQuery)
}
