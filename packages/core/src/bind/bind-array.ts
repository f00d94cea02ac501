/** @module ARRAY[...] and array[index]. */
import type { A_ArrayExpr, A_Indirection, Node } from '@pgsql/types'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import { bindError, positioned, unsupported } from './bind-error.ts'
import { coerceTo } from './coerce.ts'
import { commonTypeOf } from './common-type.ts'
import type { ExpressionEnvironment } from './context.ts'
import type { Expression } from './expression.ts'
import { type BindNode, onlyFields, positionOf, required } from './syntax-node.ts'

/** @param target the array type that a cast around the constructor asks for; its elements are cast then. */
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

/** Nested constructors make further dimensions of the same array type. */
function bindElement(
  element: Node,
  target: SqlType | undefined,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  return 'A_ArrayExpr' in element
    ? bindArray(element.A_ArrayExpr, target, environment, bind)
    : bind(element, environment)
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
  return { oid, typmod: element.typmod }
}

/** `operand[index]`; slices, several indexes and field selection are refused. */
export function bindSubscript(
  node: A_Indirection,
  environment: ExpressionEnvironment,
  bind: BindNode,
): Expression {
  onlyFields(node, 'a subscript', ['arg', 'indirection'])
  const arg = required(node.arg, 'a subscript')
  const position = positionOf(arg)
  const [step, ...others] = node.indirection ?? []
  if (step === undefined || !('A_Indices' in step)) {
    throw unsupported('selecting a field of a value', position)
  }
  if (others.length > 0) throw unsupported('a subscript with several steps', position)
  if (step.A_Indices.is_slice === true) throw unsupported('an array slice', position)
  onlyFields(step.A_Indices, 'a subscript', ['uidx'])
  const operand = bind(arg, environment)
  const { types } = environment.context
  if (types.baseTypeOid(operand.type.oid) === oids.jsonb) {
    throw unsupported('a subscript of jsonb', position)
  }
  const elementOid = types.elementTypeOid(operand.type.oid)
  if (elementOid === undefined) {
    const message = `cannot subscript type ${types.formatType(operand.type.oid)} because it does not support subscripting`
    throw bindError(message, { sqlState: '42804', position })
  }
  const index = bind(required(step.A_Indices.uidx, 'a subscript', position), environment)
  return {
    kind: 'subscript',
    operand,
    index: coerceTo(
      index,
      { oid: oids.int4, typmod: -1 },
      'assignment',
      environment,
      'array subscript',
    ),
    type: { oid: elementOid, typmod: operand.type.typmod },
    ...positioned(position),
  }
}
