/** @module What the printers of one statement share. */
import {
  type Column,
  type CteId,
  commaList,
  type Expression,
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
import { classOf, type TypeClass } from './type-class.ts'

/** What is known about the values of an expression. */
export interface Facts {
  /** Set where the value is as a table stores it, not in the form that expressions work with. */
  readonly stored: Column | undefined
  readonly isNullable: boolean
  /** `numeric`: the scale that every value has; undefined where it varies. */
  readonly scale: number | undefined
  /** Parts of the expression that SQLite may write in place of the column; absent for 1. */
  readonly weight?: number
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
  readonly types: TypeSystem
  /** Of the connection, by name. */
  readonly tables: ReadonlyMap<string, Table>
  /** Filled as FROM items are printed, before what refers to them. */
  readonly relations: Map<RelationId, RelationColumns>
  readonly ctes: Map<CteId, readonly Facts[]>
  /** The columns that the statement uses, by relation. */
  readonly usedColumns: ReadonlyMap<RelationId, ReadonlySet<number>>
  /** Every scan loop asks whether it must stop. */
  readonly hasTicks: boolean
  /** What the names of FROM items begin with: not as the table that is written is called. */
  readonly aliasPrefix: 't' | 'r'
  /** `security.oldConditions` of the write whose check is printed. */
  readonly oldConditions: readonly Sql[]
  nextId(): number
  /** Expressions and queries contain each other; all are handed in. In the form that expressions work with. */
  printExpression(expression: Expression, context: PrintContext): Sql
  /** Without parentheses around it; columns are named `c1` ... `cn`. */
  printQuery(query: Query, context: PrintContext, form: OutputForm): PrintedQuery
}

/**
 * What becomes of columns that are printed just as a table stores them: `stored` leaves them so, where the reader can tell
 * from the facts; `value` converts them.
 */
export type OutputForm = 'stored' | 'value'

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

export function print(expression: Expression, context: PrintContext): Sql {
  return context.printExpression(expression, context)
}

export function classOfType(type: SqlType, context: PrintContext): TypeClass {
  return classOf(context.types, type.oid)
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
