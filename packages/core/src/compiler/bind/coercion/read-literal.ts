/** @module Literals as values of their type, as the client's session reads them. */
import { GatewayError } from '../../../foundation/errors.ts'
import { located, positioned, unsupported } from '../../sql/bind-error.ts'
import type { CoercionContext, Oid } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { toSqlValue } from '../../sql-types/system/sql-value.ts'
import type { BindContext, ExpressionEnvironment } from '../scope/context.ts'
import type { Constant } from '../tree/expression.ts'
import { hasIntervalFields, intervalWithUnit } from './interval-literal.ts'

/**
 * @param describe see `coerceTo`
 * @throws {GatewayError} `dataError` (`invalidValue` where it is stored) for a text that is no value of the type.
 */
export function readLiteral(
  literal: Constant,
  target: SqlType,
  conversion: CoercionContext,
  environment: ExpressionEnvironment,
  describe: string | undefined,
): Constant {
  const { types } = environment.context
  const mode = conversion === 'assignment' ? 'assignment' : 'explicit'
  const value = zonedText(literal, target.oid, environment.context, describe)
  const read = hasIntervalFields(types, target)
    ? toSqlValue(types, { ...target, typmod: -1 }, withUnit(literal, target), mode)
    : toSqlValue(types, target, value, mode)
  if (read.ok) return { ...literal, type: target, value: read.value }
  throw unreadable(read, literal, describe)
}

/** The error for a literal that is no value of its type. */
function unreadable(
  { message, sqlState }: { readonly message: string; readonly sqlState: string | undefined },
  { position }: Constant,
  describe: string | undefined,
): GatewayError {
  const problem = isStored(describe) ? 'invalidValue' : 'dataError'
  const details = { ...(sqlState !== undefined && { sqlState }), ...positioned(position) }
  return new GatewayError(problem, located(message, position), details)
}

/** The literal as the client's session reads it: a timestamp without an offset is in its time zone. */
function zonedText(
  literal: Constant,
  typeOid: Oid,
  { timeZone, types }: BindContext,
  describe: string | undefined,
): Constant['value'] {
  const { value } = literal
  if (timeZone === undefined || typeof value !== 'string') return value
  try {
    return timeZone.withOffset(typeOid, value, types)
  } catch (error) {
    throw error instanceof GatewayError ? unreadable(error, literal, describe) : error
  }
}

function withUnit(literal: Constant, target: SqlType): string | null {
  if (typeof literal.value !== 'string') return null
  const text = intervalWithUnit(literal.value, target)
  if (text !== undefined) return text
  throw unsupported('an interval of fields other than one whole number', literal.position)
}

/** Is the value stored in a column? */
export function isStored(describe: string | undefined): boolean {
  return describe?.startsWith('column ') === true
}
