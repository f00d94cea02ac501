/** @module One operator between bound operands. */
import { GatewayError } from '../../../foundation/errors.ts'
import { bindError, located, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction, PgOperator } from '../../sql-types/pg-type.ts'
import type { ResolutionFailure, ResolvedOperator } from '../../sql-types/resolution.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Expression, OperatorCall } from '../tree/expression.ts'
import { coerceTo } from './coerce.ts'
import { requireComparableRows } from './comparable-rows.ts'
import { alignRequestTimes } from './fold-request-time.ts'
import { typeOfRows } from './row-type.ts'
import { configuredOperands } from './text-search.ts'

/**
 * `left <name> right` (a prefix operator without `left`) with PostgreSQL's implicit conversions.
 *
 * @throws {GatewayError} `badRequest` (42883, 42725) when there is no such operator, `unsupported` for one that is
 *   not allowed.
 */
export function operatorCall(
  name: string,
  left: Expression | undefined,
  right: Expression,
  position: number | undefined,
  environment: ExpressionEnvironment,
): OperatorCall {
  const { types, computesInZone } = environment.context
  const [first, second] = computesInZone ? [left, right] : alignRequestTimes(name, left, right)
  const resolved = types.resolveOperator(name, first?.type.oid, second.type.oid)
  if (!resolved.ok) throw resolutionError(resolved, position, 'operator')
  if (first !== undefined) {
    requireComparableRows(resolved.operator, first.type, second.type, position, types)
  }
  const operands = first === undefined ? [second] : [first, second]
  const searched = first && configuredSearch(resolved, first, second, position, environment)
  if (searched !== undefined) return searched
  return {
    kind: 'operator',
    operator: allowed(resolved.operator, position),
    left: first && coerceOperand(first, resolved.leftOid ?? first.type.oid, environment),
    right: coerceOperand(second, resolved.rightOid, environment),
    type: typeOfRows(resolved.resultOid, operands, `operator ${name}`, position),
    ...positioned(position),
  }
}

function configuredSearch(
  { operator, leftOid = oids.unknown, rightOid }: ResolvedOperator,
  left: Expression,
  right: Expression,
  position: number | undefined,
  environment: ExpressionEnvironment,
): OperatorCall | undefined {
  const operands = configuredOperands(
    operator,
    coerceOperand(left, leftOid, environment),
    coerceOperand(right, rightOid, environment),
    environment,
  )
  return operands && operatorCall('@@', operands.left, operands.right, position, environment)
}

/** A comparison with two sides: the result of `=` and similar operators. */
export interface Comparison extends OperatorCall {
  readonly left: Expression
}

/**
 * An operator whose result must be boolean.
 *
 * @param construct the construct that needs it, for the error: `NULLIF`, `row comparison`.
 */
export function comparisonCall(
  name: string,
  left: Expression,
  right: Expression,
  construct: string,
  position: number | undefined,
  environment: ExpressionEnvironment,
): Comparison {
  const call = operatorCall(name, left, right, position, environment)
  if (call.type.oid !== oids.bool || call.left === undefined) {
    throw bindError(`${construct} requires operator ${name} to yield boolean`, {
      sqlState: '42804',
      position,
    })
  }
  return { ...call, left: call.left }
}

export function coerceOperand(
  operand: Expression,
  oid: number,
  environment: ExpressionEnvironment,
): Expression {
  return coerceTo(operand, { oid, typmod: -1 }, 'implicit', environment)
}

/** A second check: resolution itself never returns an overload that is not allowed. */
export function allowed<Overload extends PgFunction | PgOperator>(
  overload: Overload,
  position: number | undefined,
): Overload {
  if (overload.isAllowed) return overload
  throw unsupported(overload.signature, position)
}

/** The client's error for an operator or function that was not found. */
export function resolutionError(
  failure: ResolutionFailure,
  position: number | undefined,
  noun: 'operator' | 'function',
): GatewayError {
  const { message, sqlState, reason } = failure
  if (reason !== 'refused') {
    return bindError(message, { sqlState, position, hint: resolutionHint(failure, noun) })
  }
  return new GatewayError('unsupported', located(message, position), {
    sqlState,
    ...positioned(position),
  })
}

function resolutionHint(
  { reason, sqlState }: ResolutionFailure,
  noun: 'operator' | 'function',
): string | undefined {
  const casts = 'You might need to add explicit type casts.'
  if (reason === 'ambiguous') return `Could not choose a best candidate ${noun}. ${casts}`
  return sqlState === '42883'
    ? `No ${noun} matches the given name and argument types. ${casts}`
    : undefined
}
