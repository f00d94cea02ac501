/** @module What the printers of one statement share. */

import type {
  PrintedColumn as BaseColumn,
  ValueProperties as BaseProperties,
  PrintedQuery as BaseQuery,
  PrinterContext,
} from '@engine/core/adapter'
import {
  commaList,
  type Expression,
  keyword,
  type Sql,
  sql,
  unsupportedConstruct,
} from '@engine/core/adapter'

export { aliasOf, anyValue, classOfType, relationOf } from '@engine/core/adapter'

/** What holds for every value of an expression. */
export interface ValueProperties extends BaseProperties {
  /** Parts of the expression that SQLite may write in place of the column; absent for 1. */
  readonly expandedSize?: number
}

export type PrintedColumn = BaseColumn<ValueProperties>

export type PrintedQuery = BaseQuery<ValueProperties>

/** State of printing one statement. */
export interface PrintContext extends PrinterContext<OutputForm, ValueProperties> {
  /** Every scan loop asks whether it must stop. */
  readonly hasTicks: boolean
}

/**
 * What becomes of columns that are printed just as a table stores them: `stored` leaves them so, where their properties let the
 * reader convert them; `value` converts them.
 */
export type OutputForm = 'stored' | 'value'

export function print(expression: Expression, context: PrintContext): Sql {
  return context.printExpression(expression, context)
}

/** Refuses what has no faithful form. */
export function refuse(construct: string, position: number | undefined): never {
  throw unsupportedConstruct(construct, 'SQLite', position)
}

/** What a fragment calls, for databases where functions of ours have to be written in other words. */
export interface PrintedCall {
  readonly name: string
  readonly args: readonly Sql[]
}

const calls = new WeakMap<Sql, PrintedCall>()

/** Undefined for what is no call. */
export function callOf(fragment: Sql): PrintedCall | undefined {
  return calls.get(fragment)
}

/** A call of one of SQLite's functions or of ours. */
export function call<Name extends string>(
  name: string extends Name ? never : Name,
  ...args: readonly Sql[]
): Sql {
  const fragment = sql`${keyword(name)}(${commaList(args)})`
  calls.set(fragment, { name, args })
  return fragment
}

export const nullSql: Sql = sql`null`
