/** @module How aggregates are described that SQLite calls row by row. */
import type { SqliteValue } from './scalar.ts'

export interface AggregateFunction<State = never> {
  readonly arity: number
  readonly start: () => State
  /** Takes a row in; may change `state` and gives the state to go on with. */
  readonly step: (state: State, ...args: readonly SqliteValue[]) => State
  /** Takes the oldest row out again: as a window slides. Absent: no window slides over this aggregate. */
  readonly inverse?: (state: State, ...args: readonly SqliteValue[]) => State
  readonly result: (state: State) => SqliteValue
}

/** By the name under which SQL calls them. */
export type AggregateFunctions = Readonly<Record<string, AggregateFunction>>

/** Forgets the type of the state, which nobody but the aggregate itself sees. */
export function aggregate<State>(definition: AggregateFunction<State>): AggregateFunction {
  return definition as unknown as AggregateFunction
}
