/** @module What the printers of one statement share. */

import type { PrinterContext, RelationColumns } from '@engine/core/adapter'
import {
  commaList,
  type Expression,
  freeRelations,
  keyword,
  type Query,
  type Sql,
  sql,
  unsupportedConstruct,
} from '@engine/core/adapter'
import type { Flavor } from '../flavor.ts'
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
} from '@engine/core/adapter'

/** State of printing one statement. */
export interface PrintContext extends PrinterContext<OutputForm> {
  readonly flavor: Flavor
  readonly relations: Relations<RelationColumns>
  /** The digits of a numeric, as PostgreSQL shows them. */
  printDecimalText(expression: Expression, context: PrintContext): Sql
}

/**
 * What becomes of the columns of a query.
 * - `stored`: those of tables stay as they are stored, where their properties let the reader convert them; others are as in `value`
 * - `value`: decimals that keep one scale are DECIMAL, all others text of their digits; the rest as expressions work with it
 * - `text`: the same with every decimal as text
 * - `working`: as expressions work with them, decimals too
 * - `key`: as they are compared
 * - `list`: all rows as one value, see `print-list.ts`
 */
export type OutputForm = 'stored' | 'value' | 'text' | 'working' | 'key' | 'list'

const printed = createMemo<Sql>()

export function print(expression: Expression, context: PrintContext): Sql {
  return printed(expression, context, () => context.printExpression(expression, context))
}

export function isMariaDb({ flavor }: PrintContext): boolean {
  return flavor.kind === 'mariadb'
}

/** The type of a text column of JSON_TABLE: where nothing is said it has the character set of the database. */
export function tableText(context: PrintContext): Sql {
  return sql`mediumtext character set utf8mb4 collate ${binaryCollation(context)}`
}

/** The collation of byte order, which trailing blanks count in. */
export function binaryCollation({ flavor }: PrintContext): Sql {
  return flavor.kind === 'mariadb' ? sql`utf8mb4_nopad_bin` : sql`utf8mb4_0900_bin`
}

/** What is printed as a subquery of FROM: MariaDB's do not see what is outside. */
export function requireApart(query: Query, construct: string, context: PrintContext): void {
  if (!isMariaDb(context) || freeRelations(query).size === 0) return
  refuse(`${construct} that refers to an outer query`, undefined)
}

/** Refuses what has no faithful form. */
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
