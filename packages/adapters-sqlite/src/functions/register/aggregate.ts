/** @module Descriptions of aggregates that SQLite calls row by row. */
import type { SqliteValue } from './scalar.ts'

export interface AggregateFunction<State = never> {
  readonly arity: number
  readonly start: () => State
  /** Adds a row; may change `state` and returns the state to continue with. */
  readonly step: (state: State, ...args: readonly SqliteValue[]) => State
  /** Removes the oldest row when a window slides. Absent: the aggregate does not support sliding windows. */
  readonly inverse?: (state: State, ...args: readonly SqliteValue[]) => State
  readonly result: (state: State) => SqliteValue
}

/** By their names in SQL. */
export type AggregateFunctions = Readonly<Record<string, AggregateFunction>>

/** Removes the type of the state, which only the aggregate itself uses. */
export function aggregate<State>(definition: AggregateFunction<State>): AggregateFunction {
  return definition as unknown as AggregateFunction
}
