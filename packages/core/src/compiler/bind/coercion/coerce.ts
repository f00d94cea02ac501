/**
 * @module Converts an expression to another type.
 * @see PostgreSQL documentation, chapter "Type Conversion"
 */
import { GatewayError } from '../../../foundation/errors.ts'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { namesChangingZone } from '../../sql-types/input/date-input.ts'
import { oids } from '../../sql-types/oids.ts'
import type { CoercionContext } from '../../sql-types/pg-type.ts'
import type { Coercion } from '../../sql-types/resolution.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import { undeterminedParameter } from '../scope/parameter-types.ts'
import type { Cast, Constant, Expression, Parameter, Row } from '../tree/expression.ts'
import { castConstant, resizeConstant } from './fold-constant.ts'
import { castRequestTime } from './fold-request-time.ts'
import { isStored, readLiteral } from './read-literal.ts'
import { requestTimeOfLiteral, timeWordsOfArray } from './request-time-literal.ts'
import { fieldsOfType, isRecord, typeOfRow } from './row-type.ts'

/**
 * Converts `expression` to `target`, including length or scale. An untyped literal is parsed as `target`, an untyped parameter
 * gets that type.
 *
 * @param describe the use of the value, for errors: `column "age"` where it is stored, `argument of LIMIT` elsewhere.
 * @throws {GatewayError} `badRequest` where PostgreSQL has no such conversion; `dataError` (`invalidValue` where it is stored)
 *   for a literal that the type cannot read.
 */
export function coerceTo(
  expression: Expression,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
  describe?: string,
): Expression {
  const { types } = environment.context
  if (expression.type.oid === oids.unknown) {
    return fromUnknown(expression, target, conversion, environment, describe)
  }
  const row =
    expression.kind === 'row' ? asComposite(expression, target, conversion, environment) : undefined
  if (row !== undefined) return row
  const coercion = types.coercion(expression.type.oid, target.oid, conversion)
  if (coercion === undefined) {
    throw mismatch(types, expression, target, conversion, describe)
  }
  const converted = convert(environment.context, expression, target, coercion, conversion)
  return resize(types, converted, target, conversion)
}

/** An expression that is still untyped becomes text, as in a SELECT list. */
export function resolveUnknown(
  expression: Expression,
  environment: ExpressionEnvironment,
): Expression {
  if (expression.type.oid !== oids.unknown) return expression
  return coerceTo(expression, { oid: oids.text, typmod: -1 }, 'implicit', environment)
}

function fromUnknown(
  expression: Expression,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
  describe: string | undefined,
): Expression {
  requireReadable(expression, target, environment)
  switch (expression.kind) {
    case 'constant': {
      const { types, timeZone } = environment.context
      const moment = requestTimeOfLiteral(expression, target.oid, timeZone?.readIn)
      if (moment !== undefined) return resize(types, moment, target, conversion)
      return (
        arrayOfTimes(expression, target, conversion, environment) ??
        readDateOrOther(expression, target, conversion, environment, describe)
      )
    }
    case 'parameter':
      return typedParameter(expression, target, conversion, environment)
    default:
      throw new GatewayError('internal', `an expression of kind ${expression.kind} has no type`)
  }
}

/** `'{today}'::date[]` is `array['today'::date]`. */
function arrayOfTimes(
  literal: Constant,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
): Expression | undefined {
  const { types } = environment.context
  const oid = types.elementTypeOid(target.oid)
  const delimiter = types.typeByOid(oid ?? target.oid)?.delimiter ?? ','
  const elements = timeWordsOfArray(literal, oid, delimiter)
  if (elements === undefined || oid === undefined) return undefined
  const element = { oid, typmod: target.typmod }
  return {
    kind: 'array',
    elements: elements.map((each) => coerceTo(each, element, conversion, environment)),
    type: target,
    ...positioned(literal.position),
  }
}

/** A literal, by the database where only that knows its time zone. */
function readDateOrOther(
  literal: Constant,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
  describe: string | undefined,
): Expression {
  try {
    return readLiteral(literal, target, conversion, environment, describe)
  } catch (error) {
    const isUnknown = error instanceof GatewayError && error.sqlState === '22023'
    const read = isUnknown ? readByDatabase(literal, target, conversion, environment) : undefined
    if (read === undefined) throw error
    return read
  }
}

/**
 * `'2011-03-27 10:00 MSK'::timestamptz` is `'2011-03-27 10:00 MSK'::text::timestamptz`: the offset of this abbreviation depends on the date, and the
 * database knows it. Undefined for every other literal, and where the database has other rules than PostgreSQL.
 */
function readByDatabase(
  literal: Constant,
  target: SqlType,
  conversion: CoercionContext,
  { context }: ExpressionEnvironment,
): Expression | undefined {
  const { connection, types } = context
  const oid = types.elementTypeOid(target.oid) ?? target.oid
  if (!connection.traits.sessionSettings || typeof literal.value !== 'string') return undefined
  if (!namesChangingZone(oid, literal.value)) return undefined
  const text: Constant = { ...literal, type: { oid: oids.text, typmod: -1 } }
  const read = castNode(text, { oid: target.oid, typmod: -1 }, 'inout', conversion)
  return resize(types, read, target, conversion)
}

/** No literal can be read as one of the pseudo-types of functions, or as a row of unknown shape. */
function requireReadable(
  expression: Expression,
  target: SqlType,
  environment: ExpressionEnvironment,
): void {
  const { types } = environment.context
  const kind = types.typeByOid(target.oid)?.kind
  if (kind !== 'pseudo' && kind !== 'composite') return
  if (isRecord(target.oid) && expression.kind === 'constant' && expression.value === null) return
  const { position } = expression
  if (expression.kind === 'parameter') throw undeterminedParameter(expression.index, position)
  throw unsupported(`a literal of type ${types.formatType(target.oid)}`, position)
}

function typedParameter(
  parameter: Parameter,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
): Expression {
  const { types, parameters } = environment.context
  const type = { oid: target.oid, typmod: -1 }
  parameters.fix(parameter.index, type, parameter.position)
  return resize(types, { ...parameter, type }, target, conversion)
}

function convert(
  { types, computesInZone }: BindContext,
  expression: Expression,
  target: SqlType,
  coercion: Coercion,
  conversion: CoercionContext,
): Expression {
  if (coercion.kind === 'none') return expression
  // The cast itself needs the number of bits: `5::bit(4)` is not `5::bit::bit(4)`.
  const typmod = target.oid === oids.bit && coercion.kind === 'cast' ? target.typmod : -1
  const fields = isRecord(target.oid) ? fieldsOfOperand(expression, types) : undefined
  const type = { oid: target.oid, typmod, ...(fields && { fields }) }
  if (expression.kind === 'constant') {
    const folded = castConstant(types, expression, type, coercion)
    if (folded !== undefined) return folded
  }
  if (expression.kind === 'requestTime' && !computesInZone) {
    const folded = castRequestTime(expression, type)
    if (folded !== undefined) return folded
  }
  return castNode(expression, type, methodOf(coercion), conversion)
}

/** A value of a composite type as a record, or an array of them. */
function fieldsOfOperand({ type }: Expression, types: TypeSystem): SqlType['fields'] {
  const oid = types.elementTypeOid(type.oid) ?? type.oid
  return fieldsOfType({ ...type, oid }, types)
}

function methodOf(coercion: Coercion): Cast['method'] {
  switch (coercion.kind) {
    case 'none':
    case 'relabel':
      return 'binary'
    case 'cast':
      return coercion.cast.method
    case 'inout':
    case 'unknownLiteral':
      return 'inout'
    case 'arrayCast':
      return 'array'
    case 'domain':
      return methodOf(coercion.base)
  }
}

/** Applies `varchar(n)`, `numeric(p, s)` and similar modifiers to a value that already has the right type. */
function resize(
  types: TypeSystem,
  expression: Expression,
  target: SqlType,
  conversion: CoercionContext,
): Expression {
  const isSettled = target.typmod < 0 || target.typmod === expression.type.typmod
  if (isSettled || !types.hasLengthCoercion(target.oid)) return expression
  if (expression.kind === 'constant') {
    const folded = resizeConstant(types, expression, target, conversion)
    if (folded !== undefined) return folded
  }
  return castNode(expression, target, 'length', conversion)
}

/** `row(1, 'a')::pair`: each field as one of the attribute's type. Undefined where the type has no attributes. */
function asComposite(
  row: Row,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
): Expression | undefined {
  const { types } = environment.context
  const attributes = target.oid === oids.record ? undefined : fieldsOfType(target, types)
  if (attributes === undefined) return undefined
  if (attributes.length !== row.fields.length) {
    throw mismatch(types, row, target, 'explicit', undefined)
  }
  const fields = row.fields.map((field, i) => {
    const type = attributes[i]?.type
    return type === undefined ? field : coerceTo(field, type, conversion, environment)
  })
  const typed: Row = { ...row, fields, type: typeOfRow(fields) }
  return castNode(typed, { oid: target.oid, typmod: -1 }, 'binary', 'explicit')
}

function castNode(
  operand: Expression,
  type: SqlType,
  method: Cast['method'],
  conversion: CoercionContext,
): Cast {
  const isExplicit = conversion === 'explicit'
  return { kind: 'cast', operand, method, isExplicit, type, ...positioned(operand.position) }
}

function mismatch(
  types: TypeSystem,
  expression: Expression,
  target: SqlType,
  conversion: CoercionContext,
  describe: string | undefined,
): GatewayError {
  const from = types.formatType(expression.type.oid)
  const to = types.formatType(target.oid)
  const { position } = expression
  if (describe === undefined || conversion === 'explicit') {
    return bindError(`cannot cast type ${from} to ${to}`, { sqlState: '42846', position })
  }
  const message = isStored(describe)
    ? `${describe} is of type ${to} but expression is of type ${from}`
    : `${describe} must be type ${to}, not type ${from}`
  const hint = isStored(describe) ? 'You will need to rewrite or cast the expression.' : undefined
  return bindError(message, { sqlState: '42804', position, hint })
}
