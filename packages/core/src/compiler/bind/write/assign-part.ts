/** @module A part of a column as the target of SET: `tags[2]`, `tags[1:2]`, `doc['a'][0]`. */
import type { A_Indices, Node, ResTarget } from '@pgsql/types'
import type { Column, Table } from '../../catalog/catalog.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo, resolveUnknown } from '../coercion/coerce.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { noSlices } from '../expressions/bind-subscript.ts'
import { columnNames } from '../scope/column-names.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { StatementContext } from '../scope/statement-context.ts'
import { onlyFields, required } from '../scope/syntax-node.ts'
import type { Assignment } from '../tree/bound-query.ts'
import type { Expression, SubscriptStep } from '../tree/expression.ts'
import { requireAssignable } from './assign-value.ts'
import { partAsTarget } from './write-target.ts'

interface PartTarget extends ResTarget {
  readonly indirection: Node[]
}

/** The most dimensions that an array can have. */
const maxSteps = 6

/** The rest of the column stays: the column is read, too, and must be readable. */
export function assignPart(
  { indirection, val, location: position, name = '' }: PartTarget,
  column: Column,
  table: Table,
  environment: ExpressionEnvironment,
  context: StatementContext,
): Assignment {
  const readable = context.view.readable(table)
  if (readable !== 'all' && !readable.has(column.ordinal)) {
    throw context.view.unknownColumn({
      name,
      table,
      position,
      known: columnNames(table, readable),
    })
  }
  if (val === undefined || 'MultiAssignRef' in val) {
    throw partAsTarget(position)
  }
  if ('SetToDefault' in val) throw unsupported('DEFAULT for a part of a column', position)
  requireAssignable(column, { operation: 'update' }, position)
  const indices = indirection.map((step) => indicesOf(step, position))
  const { part, type } = partOf(column, indices, position, environment)
  const value = coerceTo(
    bindExpression(val, environment),
    type,
    'assignment',
    environment,
    `column "${column.name}"`,
  )
  return { column: column.ordinal, part, value }
}

function partOf(
  { type, name }: Column,
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): { readonly part: readonly SubscriptStep[]; readonly type: SqlType } {
  const { types } = environment.context
  const base = types.baseTypeOid(type.oid)
  if (base === oids.jsonb) {
    if (indices.some((each) => each.is_slice === true)) {
      throw bindError('jsonb subscript does not support slices', { sqlState: '0A000', position })
    }
    const part = indices.map(({ uidx }): SubscriptStep => {
      const key = bound(uidx, undefined, position, environment)
      return { kind: 'index', index: key }
    })
    return { part, type: { oid: oids.jsonb, typmod: -1 } }
  }
  const partOid = types.typeByOid(base)?.partOid
  const elementOid = types.elementTypeOid(base) ?? partOid
  if (elementOid === undefined || base !== type.oid) {
    const message = `cannot subscript type ${types.formatType(type.oid)} of column "${name}"`
    throw bindError(message, { sqlState: '42804', position })
  }
  if (indices.length > maxSteps) {
    const message = `number of array dimensions (${indices.length}) exceeds the maximum allowed (${maxSteps})`
    throw bindError(message, { sqlState: '54000', position })
  }
  const isSlice = indices.some((each) => each.is_slice === true)
  if (isSlice && partOid !== undefined) throw noSlices(position)
  const part = indices.map(({ is_slice: slice, lidx, uidx }): SubscriptStep => {
    const number = (node: Node | undefined) => bound(node, oids.int4, position, environment)
    if (slice !== true) return { kind: 'index', index: number(uidx) }
    return { kind: 'slice', lower: lidx && number(lidx), upper: uidx && number(uidx) }
  })
  return { part, type: { oid: isSlice ? base : elementOid, typmod: type.typmod } }
}

/** A constant or a parameter: it is not computed for each row. A key of a document is a text unless it is a number. */
function bound(
  node: Node | undefined,
  oid: number | undefined,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Expression {
  const expression = bindExpression(required(node, 'a subscript', position), environment)
  const value =
    oid === undefined
      ? resolveUnknown(expression, environment)
      : coerceTo(expression, { oid, typmod: -1 }, 'assignment', environment, 'array subscript')
  const isKey = value.type.oid === oids.int4 || (oid === undefined && value.type.oid === oids.text)
  if (isKey && (value.kind === 'constant' || value.kind === 'parameter')) return value
  throw unsupported('a subscript that is neither a constant nor a parameter as target', position)
}

function indicesOf(step: Node, position: number | undefined): A_Indices {
  if (!('A_Indices' in step)) throw partAsTarget(position)
  onlyFields(step.A_Indices, 'a subscript', ['is_slice', 'lidx', 'uidx'])
  return step.A_Indices
}
