import { slotKey } from '../../compiler/permissions/access/access.ts'
import type { CompiledStatement } from '../../compiler/plan/plan.ts'
import { oids } from '../../compiler/sql-types/oids.ts'
import type { SqlType } from '../../compiler/sql-types/sql-type.ts'
import { toSqlValue } from '../../compiler/sql-types/system/sql-value.ts'
import type { TypeSystem } from '../../compiler/sql-types/system/type-system.ts'
import type { SqlValue, ValueSource } from '../../compiler/sql-types/value-source.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { unreachable } from '../../foundation/unreachable.ts'
import { requestTimeText } from './request-time.ts'

/** The values of a request for the parameters of a plan. */
export interface RequestValues {
  /** `$1` is index 0; JSON values. */
  readonly params: readonly unknown[]
  /** By `slotKey`. */
  readonly callerValues: ReadonlyMap<string, SqlValue>
  /** Start of the request, in milliseconds since 1970. */
  readonly timeMs: number
  /** Start of the open transaction, likewise; undefined: the request is one of its own. */
  readonly transactionTimeMs?: number | undefined
}

/** Computes the values of every step, in placeholder order. */
export type ParameterRecipe = (request: RequestValues) => readonly (readonly SqlValue[])[]

type ValueReader = (request: RequestValues) => SqlValue

/**
 * Prepares, once for each plan, how each parameter of its statements is computed from a request. `now` and `today` are the time of
 * the request, unless the session is in another zone than UTC: there these words are refused.
 */
export function createParameterRecipe(
  compiled: CompiledStatement,
  types: TypeSystem,
  isInUtc = true,
): ParameterRecipe {
  const reading = { types, isWrite: compiled.isWrite, isInUtc }
  const steps = compiled.steps.map((step) =>
    step.parameters.map((source) => valueReader(source, reading)),
  )
  return (request) => steps.map((readers) => readers.map((read) => read(request)))
}

interface Reading {
  readonly types: TypeSystem
  readonly isWrite: boolean
  readonly isInUtc: boolean
}

function valueReader(source: ValueSource, reading: Reading): ValueReader {
  switch (source.from) {
    case 'request': {
      const { index } = source
      const convert = converter(index, source.type, reading)
      return (request) => convert(request.params[index], transactionTime(request))
    }
    case 'clampedLimit': {
      const { index, max, isOffset = false } = source
      const convert = converter(index, { oid: oids.int8, typmod: -1 }, reading)
      return ({ params, timeMs }) => clampedLimit(convert(params[index], timeMs), max, isOffset)
    }
    case 'caller': {
      const key = slotKey(source.slot)
      return ({ callerValues }) => callerValues.get(key) ?? null
    }
    case 'constant': {
      const { value } = source
      return () => value
    }
    case 'requestTime': {
      if (source.ofTransaction !== true) return ({ timeMs }) => requestTimeText(source, timeMs)
      return (request) => requestTimeText(source, transactionTime(request))
    }
    case 'step':
      return () => null
    default:
      return unreachable(source)
  }
}

function transactionTime({ timeMs, transactionTimeMs = timeMs }: RequestValues): number {
  return transactionTimeMs
}

function clampedLimit(limit: SqlValue, max: number, isOffset: boolean): SqlValue {
  if (typeof limit !== 'string') return isOffset ? '0' : String(max)
  if (limit.startsWith('-')) {
    const clause = isOffset ? 'OFFSET' : 'LIMIT'
    const sqlState = isOffset ? '2201X' : '2201W'
    throw new GatewayError('badRequest', `${clause} must not be negative.`, { sqlState })
  }
  return BigInt(limit) > BigInt(max) ? String(max) : limit
}

/** Converts a JSON value to canonical text; the common types have a fast path. */
function converter(
  index: number,
  type: SqlType,
  { types, isWrite, isInUtc }: Reading,
): (value: unknown, timeMs: number) => SqlValue {
  const slow = (value: unknown, timeMs: number): SqlValue => {
    const mode = isWrite ? 'assignment' : 'explicit'
    const read = toSqlValue(types, type, value, mode, isInUtc ? timeMs : undefined)
    if (read.ok) return read.value
    throw new GatewayError(
      isWrite ? 'invalidValue' : 'invalidParameter',
      `Parameter $${index + 1}: ${read.message}`,
      { sqlState: read.sqlState },
    )
  }
  switch (type.oid) {
    case oids.int4:
      return (value, timeMs) =>
        typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31
          ? String(value)
          : slow(value, timeMs)
    case oids.int8:
      return (value, timeMs) =>
        typeof value === 'number' && Number.isSafeInteger(value)
          ? String(value)
          : slow(value, timeMs)
    case oids.bool:
      return (value, timeMs) => (typeof value === 'boolean' ? String(value) : slow(value, timeMs))
    case oids.text:
      return (value, timeMs) =>
        typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
          ? value
          : slow(value, timeMs)
    default:
      return slow
  }
}
