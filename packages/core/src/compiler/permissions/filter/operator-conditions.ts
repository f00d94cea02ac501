/** @module Turns the operators of filters into conditions: comparisons, lists, ranges, NULL and texts. */
import type { Expression } from '../../bind/tree/expression.ts'
import { functionCall, type Made, made, operatorCall } from '../../bind/tree/typed-call.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { allOf, anyOf, unknown } from '../combination/kleene.ts'
import type { FilterContext } from './filter-context.ts'
import type { PolicyFilter } from './policy-filter.ts'
import { callerSlot, callerSlotOperand, type Operand, parseOperand } from './policy-operand.ts'
import { patternOperand } from './policy-pattern.ts'

/** One operator of a condition with its operand. */
export interface OperatorUse {
  /** `$gt` */
  readonly key: string
  readonly left: Operand
  readonly type: SqlType
  /** As the user wrote it. */
  readonly operand: unknown
  readonly context: FilterContext
  /** Its path in the configuration. */
  readonly path: string
  /** The condition that an operand forms by itself, on the same left side. */
  readonly nested: (operand: unknown) => PolicyFilter
}

export const text: SqlType = { oid: oids.text, typmod: -1 }
export const textArray: SqlType = { oid: oids.textArray, typmod: -1 }
const boolean: SqlType = { oid: oids.bool, typmod: -1 }

export function isStructured(types: TypeSystem, type: SqlType): boolean {
  const isArray = types.elementTypeOid(types.baseTypeOid(type.oid)) !== undefined
  return isArray || isDocument(types, type)
}

export function isDocument(types: TypeSystem, type: SqlType): boolean {
  const base = types.baseTypeOid(type.oid)
  return base === oids.jsonb || base === oids.json
}

/** A leaf from two operands and a function that combines them. */
function pair(
  left: Operand,
  right: Operand,
  make: (left: Expression, right: Expression) => Made,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const slots = [...left.slots, ...right.slots]
  const at = (row: number, outer: number | undefined) =>
    make(left.build(row, outer), right.build(row, outer))
  return leaf(slots, at, context, path)
}

/** Checked once here, with row 0. */
function leaf(
  slots: Operand['slots'],
  at: (row: number, outer: number | undefined) => Made,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const trial = at(0, 0)
  if ('error' in trial) {
    context.faults.add(path, trial.error)
    return unknown
  }
  return { kind: 'leaf', slots, build: (row, outer) => made(at(row, outer)) }
}

export function comparison(
  operator: string,
  left: Operand,
  type: SqlType,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const read = parseOperand(value, comparable(context, type), context, path)
  const right = operator.includes('~~') ? patternOperand(read, value, context, path) : read
  if (right === undefined) return unknown
  const { types } = context.connection
  return pair(left, right, (a, b) => operatorCall(types, operator, a, b), context, path)
}

/** The type in which a value is compared: the base type, without the column's length limit. */
function comparable({ connection }: FilterContext, type: SqlType): SqlType {
  return { oid: connection.types.baseTypeOid(type.oid), typmod: -1 }
}

export function membership(
  left: Operand,
  type: SqlType,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  if (typeof value === 'string') {
    return callerMembership(left, type, value, context, path)
  }
  if (!Array.isArray(value)) {
    context.faults.add(path, 'expects a list or "$user.<field>"')
    return unknown
  }
  const each = (item: unknown, i: number) =>
    comparison('=', left, type, item, context, `${path}[${i}]`)
  return anyOf(Array.from(value, each))
}

/** `left = any($user.list)`: FALSE for an empty list, UNKNOWN for a missing one. */
function callerMembership(
  left: Operand,
  type: SqlType,
  reference: string,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const { types } = context.connection
  const element = comparable(context, type)
  const array = types.arrayTypeOid(element.oid)
  const slot =
    array === undefined || !reference.startsWith('$user.')
      ? undefined
      : callerSlot(reference, { oid: array, typmod: -1 }, context)
  if (slot === undefined) {
    context.faults.add(path, 'expects a list or "$user.<field>"')
    return unknown
  }
  const right = callerSlotOperand(slot)
  const make = (a: Expression, array: Expression): Made => {
    const equality = operatorCall(types, '=', a, { kind: 'constant', value: null, type: element })
    if ('error' in equality) return equality
    const { operator, left: operand } = equality
    return { kind: 'quantifiedArray', operator, quantifier: 'any', operand, array, type: boolean }
  }
  return pair(left, right, make, context, path)
}

export function between(
  left: Operand,
  type: SqlType,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  if (!Array.isArray(value) || value.length !== 2) {
    context.faults.add(path, '$between expects [from, to]')
    return unknown
  }
  return allOf([
    comparison('>=', left, type, value[0], context, `${path}[0]`),
    comparison('<=', left, type, value[1], context, `${path}[1]`),
  ])
}

export function nullTest(
  left: Operand,
  value: unknown,
  isNotNull: boolean,
  context: FilterContext,
  path: string,
): PolicyFilter {
  if (typeof value !== 'boolean') {
    context.faults.add(path, 'expects true or false')
    return unknown
  }
  const negated = value === isNotNull
  const at = (row: number, outer: number | undefined): Expression => ({
    kind: 'nullTest',
    operand: left.build(row, outer),
    negated,
    type: boolean,
  })
  return leaf(left.slots, at, context, path)
}

/** Plain text tests: no wildcards, case-sensitive. */
export function textTest(
  key: '$startsWith' | '$endsWith' | '$contains',
  left: Operand,
  type: SqlType,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const { types } = context.connection
  if (types.typeByOid(types.baseTypeOid(type.oid))?.category !== 'S') {
    context.faults.add(path, `${key} is for text`)
    return unknown
  }
  const right = parseOperand(value, text, context, path)
  if (right === undefined) return unknown
  return pair(left, right, (a, b) => textCall(types, key, a, b), context, path)
}

function textCall(
  types: TypeSystem,
  key: '$startsWith' | '$endsWith' | '$contains',
  subject: Expression,
  part: Expression,
): Made {
  if (key === '$startsWith') return functionCall(types, 'starts_with', [subject, part])
  if (key === '$contains') {
    const position = made(functionCall(types, 'strpos', [subject, part]))
    const zero: Expression = { kind: 'constant', value: '0', type: { oid: oids.int4, typmod: -1 } }
    return operatorCall(types, '>', position, zero)
  }
  const length = made(functionCall(types, 'length', [part]))
  const end = made(functionCall(types, 'right', [subject, length]))
  return operatorCall(types, '=', end, part)
}
