/** @module Types that the printers of aggregates share. */

import type { Sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import type { PrintContext } from '../print-context.ts'
import type { TypeClass } from '../type-class.ts'

/** One call of an aggregate: the parts before, inside and after the parentheses. */
export type AggregateCall = <Name extends string>(
  name: string extends Name ? never : Name,
  ...args: readonly Sql[]
) => Sql

/** The input of the printer of one aggregate. */
export interface Part {
  readonly argument: Expression
  readonly second: Expression | undefined
  readonly typeClass: TypeClass
  readonly isDistinct: boolean
  readonly isWindow: boolean
  readonly make: AggregateCall
  readonly context: PrintContext
}
