/** @module The state that the printers of one statement share. */

import type { PrinterContext, RelationColumns } from '@engine/core/print'
import { commaList, keyword, type Sql, sql } from '@engine/core/print'
import {
  type Expression,
  freeRelations,
  type Query,
  type RelationId,
  unsupportedConstruct,
} from '@engine/core/tree'
import type { ServerTraits } from '../server/server-traits.ts'
import { createMemo, type Relations } from './memo.ts'

export {
  aliasOf,
  anyValue,
  classOfType,
  type PrintedColumn,
  type PrintedQuery,
  type RelationColumns,
  relationOf,
  type ValueProperties,
} from '@engine/core/print'

/** State of printing one statement. */
export interface PrintContext extends PrinterContext<OutputForm> {
  readonly traits: ServerTraits
  readonly relations: Relations<RelationColumns>
  /** FROM items whose rows the server may keep in a temporary table. */
  readonly derived: Set<RelationId>
  /** The digits of a numeric, as PostgreSQL shows them. */
  printDecimalText(expression: Expression, context: PrintContext): Sql
}

/**
 * The form of the columns of a query.
 * - `stored`: columns of tables keep their stored form, where their properties allow the reader to convert them; others are as in
 *   `value`
 * - `value`: decimals that keep one scale are DECIMAL, all others text of their digits; the rest in the working form of
 *   expressions
 * - `text`: the same with every decimal as text
 * - `working`: the working form of expressions, also for decimals
 * - `key`: the form for comparisons
 * - `list`: all rows as one value, see `print-list.ts`
 */
export type OutputForm = 'stored' | 'value' | 'text' | 'working' | 'key' | 'list'

const printed = createMemo<Sql>()

export function print(expression: Expression, context: PrintContext): Sql {
  return printed(expression, context, () => context.printExpression(expression, context))
}

/** The type of a text column of JSON_TABLE: without an explicit one it has the character set of the database. */
export function tableText(context: PrintContext): Sql {
  return sql`mediumtext character set utf8mb4 collate ${binaryCollation(context)}`
}

/** The collation by bytes, in which trailing blanks are significant. */
export function binaryCollation({ traits }: PrintContext): Sql {
  return keyword(traits.binaryCollation)
}

/** Refuses a query that is printed as a subquery of FROM and refers to outer columns, which some servers do not support. */
export function requireApart(query: Query, construct: string, context: PrintContext): void {
  if (context.traits.derivedSeesOutside || freeRelations(query).size === 0) return
  refuse(`${construct} that refers to an outer query`, undefined)
}

/** Refuses a construct without a faithful form. */
export function refuse(construct: string, position: number | undefined): never {
  throw unsupportedConstruct(construct, 'MySQL', position)
}

/** A call of one of the server's functions. */
export function call<Name extends string>(
  name: string extends Name ? never : Name,
  ...args: readonly Sql[]
): Sql {
  return sql`${keyword(name)}(${commaList(args)})`
}

export const nullSql: Sql = sql`null`
