/** @module Registers the adapter's functions on a connection. `contract.md` describes them. */
import type Database from 'better-sqlite3'
import { arrayFunctions } from '../array-functions.ts'
import { intervalFunctions } from '../dates/interval.ts'
import { decimalFunctions } from '../decimal/decimal-functions.ts'
import { numberAggregates } from '../numbers/number-aggregates.ts'
import { floatFunctions, integerFunctions, storedFunctions } from '../numbers/number-functions.ts'
import { numberToCharFunctions } from '../numbers/number-to-char.ts'
import { sampledRows, scannedRows } from '../sampled-rows.ts'
import { seriesFunctions } from '../series.ts'
import { likeFunctions } from '../text/like-functions.ts'
import { valueFunctions } from '../value-functions.ts'
import type { AggregateFunctions } from './aggregate.ts'
import { createHeldValues } from './held-values.ts'
import type { ScalarFunction, ScalarFunctions, SqliteValue } from './scalar.ts'
import type { TableFunctions } from './table-function.ts'
import { describedFunctions } from './udf-functions.ts'

const scalarFunctions: readonly ScalarFunctions[] = [
  integerFunctions,
  floatFunctions,
  decimalFunctions,
  numberToCharFunctions,
  storedFunctions,
  valueFunctions,
  intervalFunctions,
  arrayFunctions,
  likeFunctions,
  describedFunctions,
]

const aggregateFunctions: readonly AggregateFunctions[] = [numberAggregates]

const tableFunctions: readonly TableFunctions[] = [seriesFunctions]

export interface FunctionOptions {
  /** Called in every scan and long loop; throws when the statement must stop. */
  readonly interrupt: (rows: number) => void
  /** Called around every match of a regular expression. */
  readonly matching: <T>(match: () => T) => T
}

/** Registers every function; schemas, triggers and views cannot call them. */
export function registerFunctions(
  database: Database.Database,
  { interrupt, matching }: FunctionOptions,
): void {
  registerTick(database, interrupt)
  for (const functions of [...scalarFunctions, createHeldValues()]) {
    registerScalars(database, functions, matching)
  }
  for (const functions of aggregateFunctions) registerAggregates(database, functions)
  for (const functions of tableFunctions) registerTables(database, functions, interrupt)
}

/**
 * `tick(x)` is true, as are `tick_sample(x)` and `tick_scan(x)`, which are called for one of `sampledRows` and of `scannedRows`. Not
 * deterministic, so that SQLite calls them for every row.
 */
function registerTick(database: Database.Database, interrupt: FunctionOptions['interrupt']): void {
  const options = { directOnly: true, safeIntegers: false }
  database.function('tick', options, (_column: unknown) => {
    interrupt(1)
    return 1
  })
  database.function('tick_sample', options, (_column: unknown) => {
    interrupt(sampledRows)
    return 1
  })
  database.function('tick_scan', options, (_rowid: unknown) => {
    interrupt(scannedRows)
    return 1
  })
}

function registerScalars(
  database: Database.Database,
  functions: ScalarFunctions,
  matching: FunctionOptions['matching'],
): void {
  for (const [name, { arity, isVolatile, isPattern, call: plain }] of Object.entries(functions)) {
    const call: ScalarFunction['call'] =
      isPattern === true ? (...args) => matching(() => plain(...args)) : plain
    const options = {
      directOnly: true,
      safeIntegers: true,
      deterministic: isVolatile !== true,
      varargs: arity < 0,
    }
    database.function(name, options, withArity(call, arity))
  }
}

/** better-sqlite3 takes the number of arguments from the function's `length`. */
function withArity(
  call: (...args: SqliteValue[]) => SqliteValue,
  arity: number,
): (...args: SqliteValue[]) => SqliteValue {
  switch (arity) {
    case -1:
      return call
    case 0:
      return () => call()
    case 1:
      return (a) => call(a as SqliteValue)
    case 2:
      return (a, b) => call(a as SqliteValue, b as SqliteValue)
    case 3:
      return (a, b, c) => call(a as SqliteValue, b as SqliteValue, c as SqliteValue)
    default:
      return Object.defineProperty((...args: SqliteValue[]) => call(...args), 'length', {
        value: arity,
      })
  }
}

function registerAggregates(database: Database.Database, functions: AggregateFunctions): void {
  for (const [name, definition] of Object.entries(functions)) {
    const { arity, start, step, inverse, result } = definition
    database.aggregate(name, {
      directOnly: true,
      safeIntegers: true,
      deterministic: true,
      varargs: false,
      start,
      step: withLength(step, arity + 1),
      ...(inverse === undefined ? {} : { inverse: withLength(inverse, arity + 1) }),
      result,
    })
  }
}

function withLength<Call extends (...args: never[]) => unknown>(call: Call, length: number): Call {
  const wrapped = (...args: Parameters<Call>) => call(...args)
  return Object.defineProperty(wrapped, 'length', { value: length }) as Call
}

function registerTables(
  database: Database.Database,
  functions: TableFunctions,
  interrupt: FunctionOptions['interrupt'],
): void {
  for (const [name, { parameters, columns, rows }] of Object.entries(functions)) {
    database.table(name, {
      directOnly: true,
      safeIntegers: true,
      parameters: [...parameters],
      columns: [...columns],
      *rows(...args: unknown[]) {
        for (const row of rows(...(args as SqliteValue[]))) {
          interrupt(1)
          yield [...row]
        }
      },
    })
  }
}
