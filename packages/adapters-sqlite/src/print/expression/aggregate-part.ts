/** @module What printers of aggregates hand to each other. */
import type { Expression, Sql } from '@engine/core/adapter'
import type { PrintContext } from '../print-context.ts'
import type { TypeClass } from '../type-class.ts'

/** One call of an aggregate: what is before the parentheses, between them and after them. */
export type AggregateCall = <Name extends string>(
  name: string extends Name ? never : Name,
  ...args: readonly Sql[]
) => Sql

/** What the printer of one aggregate works with. */
export interface Part {
  readonly argument: Expression
  readonly second: Expression | undefined
  readonly typeClass: TypeClass
  readonly isDistinct: boolean
  readonly make: AggregateCall
  readonly context: PrintContext
}
