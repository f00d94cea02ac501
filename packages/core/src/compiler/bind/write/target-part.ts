/** @module A part of a column as a target: `tags[2]`, `tags[1:2]`, `doc['a'][0]`, `home.street`, `homes[1].zip`. */
import type { A_Indices, Node } from '@pgsql/types'
import type { Column } from '../../catalog/catalog.ts'
import { bindError, unsupported } from '../../sql/bind-error.ts'
import { type Oid, oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { coerceTo, resolveUnknown } from '../coercion/coerce.ts'
import { fieldsOfType } from '../coercion/row-type.ts'
import { bindExpression } from '../expressions/bind-expression.ts'
import { noSlices, stepsOf } from '../expressions/bind-subscript.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { onlyFields, required } from '../scope/syntax-node.ts'
import type { TargetStep } from '../tree/bound-query.ts'
import type { Expression, SubscriptStep } from '../tree/expression.ts'

/** A part of a column, and the type of its values. */
export interface TargetPart {
  readonly part: readonly TargetStep[]
  readonly type: SqlType
}

/** The most dimensions that an array can have. */
const maxSteps = 6

export function targetPart(
  column: Column,
  indirection: readonly Node[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): TargetPart {
  return stepsOf(indirection, position).reduce<TargetPart>(
    ({ part, type }, step) => {
      const next =
        typeof step === 'string'
          ? fieldPart(column, type, step, position, environment)
          : elementPart(column, type, step, position, environment)
      return { part: [...part, ...next.part], type: next.type }
    },
    { part: [], type: column.type },
  )
}

function fieldPart(
  { name }: Column,
  type: SqlType,
  field: string,
  position: number | undefined,
  { context: { types } }: ExpressionEnvironment,
): TargetPart {
  const fields = fieldsOfType(type, types)
  const found = fields?.find((each) => each.name === field)
  if (found !== undefined) return { part: [{ kind: 'field', name: field }], type: found.type }
  const typeText = types.formatType(type.oid)
  const reason =
    fields === undefined
      ? `its type ${typeText} is not a composite type`
      : `there is no such column in data type ${typeText}`
  throw bindError(`cannot assign to field "${field}" of column "${name}" because ${reason}`, {
    sqlState: fields === undefined ? '42804' : '42703',
    position,
  })
}

function elementPart(
  { name }: Column,
  type: SqlType,
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): TargetPart {
  const { types } = environment.context
  for (const each of indices) onlyFields(each, 'a subscript', ['is_slice', 'lidx', 'uidx'])
  const base = types.baseTypeOid(type.oid)
  if (base === oids.jsonb) return documentPart(indices, position, environment)
  const partOid = types.typeByOid(base)?.partOid
  const elementOid = types.elementTypeOid(base) ?? partOid
  if (elementOid === undefined) {
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
  const typmod = base === type.oid ? type.typmod : baseTypmod(type.oid, types)
  return { part, type: { oid: isSlice ? base : elementOid, typmod } }
}

/** Of the type below a domain, or several of them. */
function baseTypmod(oid: Oid, types: TypeSystem): number {
  const { baseOid, baseTypmod: typmod = -1 } = types.typeByOid(oid) ?? {}
  return baseOid === undefined || typmod >= 0 ? typmod : baseTypmod(baseOid, types)
}

function documentPart(
  indices: readonly A_Indices[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): TargetPart {
  if (indices.some((each) => each.is_slice === true)) {
    throw bindError('jsonb subscript does not support slices', { sqlState: '0A000', position })
  }
  const part = indices.map(({ uidx }): SubscriptStep => {
    const key = bound(uidx, undefined, position, environment)
    return { kind: 'index', index: key }
  })
  return { part, type: { oid: oids.jsonb, typmod: -1 } }
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
