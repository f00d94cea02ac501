/** @module The state that the printers of one statement share. */

import type {
  PrintedColumn as BaseColumn,
  ValueProperties as BaseProperties,
  PrintedQuery as BaseQuery,
  PrinterContext,
} from '@engine/core/print'
import { commaList, keyword, type Sql, sql } from '@engine/core/print'
import { type Expression, unsupportedConstruct } from '@engine/core/tree'
import type { Ticks } from './print-tick.ts'

export { aliasOf, anyValue, classOfType, relationOf } from '@engine/core/print'

/** Properties of every value of an expression. */
export interface ValueProperties extends BaseProperties {
  /** The number of parts of the expression that SQLite may write in place of the column; absent for 1. */
  readonly expandedSize?: number
}

export type PrintedColumn = BaseColumn<ValueProperties>

export type PrintedQuery = BaseQuery<ValueProperties>

/** State of printing one statement. */
export interface PrintContext extends PrinterContext<OutputForm, ValueProperties> {
  /** Every scan loop checks whether it must stop. */
  readonly ticks: Ticks
  /** Counts sums that are SQLite's own where the exact one is a function of ours: see `integerTotal`. Undefined: none may be. */
  readonly nativeSums: { count: number } | undefined
}

/**
 * The form of columns that could be printed just as a table stores them: `stored` keeps the stored form, where their properties
 * allow the reader to convert it; `value` converts them.
 */
export type OutputForm = 'stored' | 'value'

export function print(expression: Expression, context: PrintContext): Sql {
  return context.printExpression(expression, context)
}

/** Refuses a construct without a faithful form. */
export function refuse(construct: string, position: number | undefined): never {
  throw unsupportedConstruct(construct, 'SQLite', position)
}

/** The call in a fragment, for databases where the adapter's functions must be rewritten. */
export interface PrintedCall {
  readonly name: string
  readonly args: readonly Sql[]
}

/** A map of all of them would grow with each statement, and stop the process while it is copied. */
interface CallSql extends Sql {
  readonly call: PrintedCall
}

/** Undefined for a fragment that is not a call. */
export function callOf(fragment: Sql | CallSql): PrintedCall | undefined {
  return 'call' in fragment ? fragment.call : undefined
}

/** A call of one of SQLite's functions or of the adapter's. */
export function call<Name extends string>(
  name: string extends Name ? never : Name,
  ...args: readonly Sql[]
): Sql {
  const called: CallSql = { ...sql`${keyword(name)}(${commaList(args)})`, call: { name, args } }
  return called
}

export const nullSql: Sql = sql`null`
