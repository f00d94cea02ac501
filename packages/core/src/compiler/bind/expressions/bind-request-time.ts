/** @module CURRENT_DATE, CURRENT_TIMESTAMP, now() and similar calls: one timestamp for the whole request. */
import type { SQLValueFunction } from '@pgsql/types'
import { bindError, positioned, unsupported } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import { coerceTo } from '../coercion/coerce.ts'
import type { ExpressionEnvironment } from '../scope/context.ts'
import { onlyFields } from '../scope/syntax-node.ts'
import type { Expression, RequestTime } from '../tree/expression.ts'

const valueFunctionTypes: ReadonlyMap<string, number> = new Map([
  ['SVFOP_CURRENT_DATE', oids.date],
  ['SVFOP_CURRENT_TIME', oids.timetz],
  ['SVFOP_CURRENT_TIME_N', oids.timetz],
  ['SVFOP_CURRENT_TIMESTAMP', oids.timestamptz],
  ['SVFOP_CURRENT_TIMESTAMP_N', oids.timestamptz],
  ['SVFOP_LOCALTIME', oids.time],
  ['SVFOP_LOCALTIME_N', oids.time],
  ['SVFOP_LOCALTIMESTAMP', oids.timestamp],
  ['SVFOP_LOCALTIMESTAMP_N', oids.timestamp],
])

export function bindSqlValueFunction(
  node: SQLValueFunction,
  environment: ExpressionEnvironment,
): Expression {
  onlyFields(node, 'a value function', ['op', 'typmod', 'location'])
  const { op = '', typmod: digits = 0, location: position } = node
  const oid = valueFunctionTypes.get(op)
  if (oid === undefined) {
    const name = op.replace('SVFOP_', '')
    throw unsupported(name === '' ? 'this value function' : name, position)
  }
  const modifiers = op.endsWith('_N') ? [digits] : []
  const encoded = environment.context.types.encodeTypmod(oid, modifiers)
  if (!encoded.ok) throw bindError(encoded.message, { sqlState: encoded.sqlState, position })
  const { typmod } = encoded
  if (oid === oids.timestamptz || !environment.context.computesInZone) {
    return requestTime(oid, typmod, position)
  }
  // The current date and time of day depend on the zone: compute them where the zone is known.
  return coerceTo(
    requestTime(oids.timestamptz, -1, position),
    { oid, typmod },
    'explicit',
    environment,
  )
}

const requestTimeFunctions: ReadonlySet<string> = new Set([
  'now()',
  'transaction_timestamp()',
  'statement_timestamp()',
])

/** Is the same in a whole transaction? */
function isOfTransaction({ name }: PgFunction): boolean {
  return name !== 'statement_timestamp'
}

/** `now()`, its synonyms and `statement_timestamp()`; undefined for any other function. */
export function requestTimeOfFunction(
  called: PgFunction,
  position: number | undefined,
): RequestTime | undefined {
  const isRequestTime = called.schema === undefined && requestTimeFunctions.has(called.signature)
  if (!isRequestTime) return undefined
  return { ...requestTime(oids.timestamptz, -1, position), ofTransaction: isOfTransaction(called) }
}

function requestTime(oid: number, typmod: number, position: number | undefined): RequestTime {
  return {
    kind: 'requestTime',
    offsetMs: 0,
    calendar: undefined,
    type: { oid, typmod },
    ofTransaction: true,
    ...positioned(position),
  }
}
