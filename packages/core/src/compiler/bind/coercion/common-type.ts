/** @module One type for several expressions: CASE branches, array elements, columns of a set operation. */

import { bindError } from '../../sql/bind-error.ts'
import type { CommonTypeContext } from '../../sql-types/resolution.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import type { Expression } from '../tree/expression.ts'
import { coerceTo } from './coerce.ts'
import { isRecord, typeOfRows } from './row-type.ts'

/**
 * The type that all expressions can be converted to; the first ones have priority. If all are unknown, it is text. A typmod is
 * kept if all have the same type and typmod.
 *
 * @throws {GatewayError} `badRequest` (42804) when there is none.
 */
export function commonTypeOf(
  expressions: readonly Expression[],
  clauseName: CommonTypeContext,
  environment: ExpressionEnvironment,
): SqlType {
  const resolution = environment.context.types.commonType(
    expressions.map((expression) => expression.type.oid),
    clauseName,
  )
  if (!resolution.ok) {
    throw bindError(resolution.message, {
      sqlState: resolution.sqlState,
      position: expressions[resolution.culprit]?.position,
    })
  }
  const { oid } = resolution
  if (isRecord(oid)) return typeOfRows(oid, expressions, clauseName, expressions[0]?.position)
  return { oid, typmod: commonTypmod(expressions, oid) }
}

function commonTypmod(expressions: readonly Expression[], oid: number): number {
  const [first, ...others] = expressions
  if (first === undefined || first.type.oid !== oid) return -1
  const { typmod } = first.type
  return others.every(({ type }) => type.oid === oid && type.typmod === typmod) ? typmod : -1
}

/** All expressions as values of `type`, the result of `commonTypeOf`. */
export function coerceAll(
  expressions: readonly Expression[],
  type: SqlType,
  environment: ExpressionEnvironment,
): readonly Expression[] {
  return expressions.map((expression) => coerceTo(expression, type, 'implicit', environment))
}
