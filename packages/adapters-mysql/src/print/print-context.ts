/** @module What the printers of one statement share. */
import {
  type Column,
  type CteId,
  commaList,
  type Expression,
  freeRelations,
  GatewayError,
  keyword,
  type Query,
  type RelationId,
  type Sql,
  type SqlType,
  sql,
  type Table,
  type TypeSystem,
  unsupportedConstruct,
} from '@engine/core/adapter'
import type { Flavor } from '../flavor.ts'
import { createMemo, type Relations } from './memo.ts'
import { classOf, type TypeClass } from './type-class.ts'

/** What is known about the values of an expression. */
export interface Facts {
  /** Set where the value is as a table stores it, not in the form that expressions work with. */
  readonly stored: Column | undefined
  readonly isNullable: boolean
  /** `numeric`: the scale that every value has; undefined where it varies. */
  readonly scale: number | undefined
}

export interface PrintedColumn extends Facts {
  readonly sql: Sql
  /** A column of a table as it stands there: an index may find it. */
  readonly isBare: boolean
}

/** How the rest of a statement refers to a FROM item or to the row of a write. */
export interface RelationColumns {
  column(index: number): PrintedColumn
}

/** State of printing one statement. */
export interface PrintContext {
  readonly flavor: Flavor
  readonly types: TypeSystem
  /** Of the connection, by name. */
  readonly tables: ReadonlyMap<string, Table>
  /** Filled as FROM items are printed, before what refers to them. */
  readonly relations: Relations<RelationColumns>
  readonly ctes: Map<CteId, readonly Facts[]>
  /** The columns that the statement uses, by relation. */
  readonly usedColumns: ReadonlyMap<RelationId, ReadonlySet<number>>
  /** What the names of FROM items begin with: not as the table that is written is called. */
  readonly aliasPrefix: 't' | 'r'
  /** `security.oldConditions` of the write whose check is printed. */
  readonly oldConditions: readonly Sql[]
  nextId(): number
  /** Expressions and queries contain each other; all are handed in. In the form that expressions work with. */
  printExpression(expression: Expression, context: PrintContext): Sql
  /** The digits of a numeric, as PostgreSQL shows them. */
  printDecimalText(expression: Expression, context: PrintContext): Sql
  /** Without parentheses around it; columns are named `c1` ... `cn`. */
  printQuery(query: Query, context: PrintContext, form: OutputForm): PrintedQuery
}

/**
 * What becomes of the columns of a query.
 * - `stored`: those of tables stay as they are stored, where the reader can tell from the facts; others are as in `value`
 * - `value`: decimals that keep one scale are DECIMAL, all others text of their digits; the rest as expressions work with it
 * - `text`: the same with every decimal as text
 * - `working`: as expressions work with them, decimals too
 * - `key`: as they are compared
 * - `list`: all rows as one value, see `print-list.ts`
 */
export type OutputForm = 'stored' | 'value' | 'text' | 'working' | 'key' | 'list'

export interface PrintedQuery {
  readonly sql: Sql
  readonly columns: readonly Facts[]
}

export const anyValue: Facts = { stored: undefined, isNullable: true, scale: undefined }

export function relationOf(relation: RelationId, context: PrintContext): RelationColumns {
  const found = context.relations.get(relation)
  if (found === undefined) {
    throw new GatewayError('internal', `relation ${relation} is used where it is not visible`)
  }
  return found
}

/** The name of a FROM item. */
export function aliasOf(relation: RelationId, { aliasPrefix }: PrintContext): Sql {
  return aliasPrefix === 't' ? keyword(`t${relation}`) : keyword(`r${relation}`)
}

const printed = createMemo<Sql>()

export function print(expression: Expression, context: PrintContext): Sql {
  return printed(expression, context, () => context.printExpression(expression, context))
}

export function classOfType(type: SqlType, context: PrintContext): TypeClass {
  return classOf(context.types, type.oid)
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
