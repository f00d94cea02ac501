/** @module ARRAY[...]. */
import type { A_ArrayExpr, Node } from '@pgsql/types'
import { bindError, positioned } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { coerceTo } from '../coercion/coerce.ts'
import { commonTypeOf } from '../coercion/common-type.ts'
import { requireRowValues } from '../coercion/row-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { type BindNode, onlyFields, positionOf } from '../scope/syntax-node.ts'
import type { Expression } from '../tree/expression.ts'
import { bindRowAs } from './bind-row.ts'

/** @param target the array type of a cast around the constructor; its elements are cast to the element type. */
export function bindArray(
  node: A_ArrayExpr,
  target: SqlType | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'ARRAY', ['elements', 'list_start', 'list_end', 'location'])
  const { location: position } = node
  const elements = (node.elements ?? []).map((element) =>
    bindElement(element, target, environment, bind),
  )
  const type = target ?? arrayTypeOf(elements, position, environment)
  const isNested = elements.some((element) => isArray(element.type, environment))
  const elementType = isNested ? { oid: type.oid, typmod: -1 } : elementTypeOf(type, environment)
  const conversion = target === undefined ? 'implicit' : 'explicit'
  return {
    kind: 'array',
    elements: elements.map((element) => coerceTo(element, elementType, conversion, environment)),
    type,
    ...positioned(position),
  }
}

/** Nested constructors add dimensions to the same array type. */
function bindElement(
  element: Node,
  target: SqlType | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  if ('A_ArrayExpr' in element) return bindArray(element.A_ArrayExpr, target, environment, bind)
  const oid = target && environment.context.types.elementTypeOid(target.oid)
  if ('RowExpr' in element && oid !== undefined) {
    requireRowValues(environment, 'a row constructor', positionOf(element))
    const type = { oid, typmod: -1 }
    return bindRowAs(element.RowExpr, type, 'explicit', environment, bind)
  }
  return bind(element, environment)
}

function isArray(type: SqlType, environment: ExpressionEnvironment): boolean {
  return environment.context.types.elementTypeOid(type.oid) !== undefined
}

function elementTypeOf(type: SqlType, environment: ExpressionEnvironment): SqlType {
  const oid = environment.context.types.elementTypeOid(type.oid) ?? oids.text
  return { oid, typmod: type.typmod }
}

function arrayTypeOf(
  elements: readonly Expression[],
  position: number | undefined,
  environment: ExpressionEnvironment,
): SqlType {
  if (elements.length === 0) {
    throw bindError('cannot determine type of empty array', { sqlState: '42P18', position })
  }
  const { types } = environment.context
  const element = commonTypeOf(elements, 'ARRAY', environment)
  const oid = isArray(element, environment) ? element.oid : types.arrayTypeOid(element.oid)
  if (oid === undefined) {
    const message = `could not find array type for data type ${types.formatType(element.oid)}`
    throw bindError(message, { sqlState: '42704', position })
  }
  return { oid, typmod: element.typmod, ...(element.fields && { fields: element.fields }) }
}
