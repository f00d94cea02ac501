/** @module `SELECT pg_sleep(…)`, which no database runs. */
import { parseStatement } from '../../compiler/sql/parse.ts'
import { maySleep, type SleepCall, sleepCallOf } from '../../compiler/sql/sleep-call.ts'
import { toSqlValue } from '../../compiler/sql-types/system/sql-value.ts'
import { createTypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { sleep, sleepSeconds } from '../execute/sleep.ts'
import { concurrencyKey, withSlot } from '../limits/with-slot.ts'
import type { QueryEnvironment } from './query-environment.ts'
import { answer, type QueryAnswer, type QueryRequest, requireParameters } from './run-query.ts'

/**
 * Waits as PostgreSQL's function does, in the caller's turn, and answers with one row of type `void`: an empty text, or NULL if the
 * argument is NULL.
 *
 * @returns undefined for any other statement.
 * @throws {GatewayError} errors of the text and of its values; `queryTimeout`, `cancelled`.
 */
export async function runSleep(
  request: QueryRequest,
  caller: Caller,
  { concurrency, settings, clock }: QueryEnvironment,
): Promise<QueryAnswer | undefined> {
  if (!maySleep(request.sql)) return undefined
  const parsed = parseStatement(request.sql)
  const call = sleepCallOf(parsed)
  if (call === undefined) return undefined
  requireParameters(parsed.parameterCount, request.params.length)
  const value = argumentText(call, request, clock())
  const { signal, origin, method } = request
  const place = { connection: undefined, caller: concurrencyKey(caller, origin?.ip) }
  const patience = { timeoutMs: settings.limits.queryTimeoutMs, signal }
  await withSlot(concurrency, place, patience, (limits) =>
    sleep(value === null ? 0 : sleepSeconds(call.name, value, clock()), limits),
  )
  const cell = value === null ? null : ''
  const row = method === 'execute' ? { [call.column]: cell } : [cell]
  const described = {
    columnsJson: JSON.stringify([{ name: call.column, type: 'void' }]),
    filteredTables: [],
  }
  return answer(described, { rows: JSON.stringify(row), rowCount: 1, truncated: false }, request)
}

/** The value of its argument, in the canonical text of its type. */
function argumentText(
  { argument }: SleepCall,
  { params }: Pick<QueryRequest, 'params'>,
  nowMs: number,
): string | null {
  const { typeOid } = argument
  const given = argument.kind === 'constant' ? argument.text : params[argument.index]
  const type = { oid: typeOid, typmod: -1 }
  const read = toSqlValue(createTypeSystem(), type, given, 'explicit', nowMs)
  if (read.ok) return read.value === null ? null : String(read.value)
  const { message, sqlState } = read
  if (argument.kind === 'constant') throw new GatewayError('badRequest', message, { sqlState })
  const named = `Parameter $${argument.index + 1}: ${message}`
  throw new GatewayError('invalidParameter', named, { sqlState })
}
