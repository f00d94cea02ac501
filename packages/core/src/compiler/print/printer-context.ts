/** @module The state of printing one statement that all dialects share. */

import { GatewayError } from '../../foundation/errors.ts'
import type { BoundStatement, CteId, Query, RelationId } from '../bind/tree/bound-query.ts'
import type { Expression } from '../bind/tree/expression.ts'
import type { Table } from '../catalog/catalog.ts'
import { usedColumns } from '../lower/used-columns.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeSystem } from '../sql-types/system/type-system.ts'
import { keyword, type Sql } from './sql-writer.ts'
import { classOf, type TypeClass } from './type-class.ts'
import type { RelationColumns, ValueProperties } from './value-properties.ts'

/** `form` of `printQuery` decides how the columns are printed; each dialect has its own forms. */
export interface PrinterContext<
  Form extends string = string,
  Properties extends ValueProperties = ValueProperties,
> {
  readonly types: TypeSystem
  /** Of the connection, by name. */
  readonly tables: ReadonlyMap<string, Table>
  /** Filled while FROM items are printed, before the expressions that refer to them. */
  readonly relations: Map<RelationId, RelationColumns<Properties>>
  /** The columns of WITH queries. */
  readonly ctes: Map<CteId, readonly Properties[]>
  /** The columns that the statement uses, by relation. */
  readonly usedColumns: ReadonlyMap<RelationId, ReadonlySet<number>>
  /** The first letter of the names of FROM items; the written table has another name. */
  readonly aliasPrefix: 't' | 'r'
  /** `security.oldConditions` of the write whose check is printed. */
  readonly oldConditions: readonly Sql[]
  nextId(): number
  /** An expression can contain a query and a query expressions: both printers are handed in. */
  printExpression(expression: Expression, context: this): Sql
  /** Without parentheses around it; columns are named `c1` ... `cn`. */
  printQuery(query: Query, context: this, form: Form): PrintedQuery<Properties>
}

/** The SQL of a query and the properties of its columns. */
export interface PrintedQuery<Properties = ValueProperties> {
  readonly sql: Sql
  readonly columns: readonly Properties[]
}

/** FROM items are called t1, t2 ..., or r1, r2 ... where the written table has such a name. */
export function startContext(
  statement: BoundStatement,
  written: Table | undefined,
): Pick<
  PrinterContext,
  'types' | 'tables' | 'usedColumns' | 'aliasPrefix' | 'oldConditions' | 'nextId'
> {
  const isTaken = written !== undefined && /^t\d+$/i.test(written.native.name)
  let { nextId } = statement
  return {
    types: statement.connection.types,
    tables: statement.connection.tables,
    usedColumns: usedColumns(statement),
    aliasPrefix: isTaken ? 'r' : 't',
    oldConditions: [],
    nextId: () => nextId++,
  }
}

/** The columns of a relation that is in scope. */
export function relationOf<Properties extends ValueProperties>(
  relation: RelationId,
  { relations }: { readonly relations: ReadonlyMap<RelationId, RelationColumns<Properties>> },
): RelationColumns<Properties> {
  const found = relations.get(relation)
  if (found === undefined) {
    throw new GatewayError('internal', `relation ${relation} is used where it is not visible`)
  }
  return found
}

/** The name of a FROM item. */
export function aliasOf(
  relation: RelationId,
  { aliasPrefix }: Pick<PrinterContext, 'aliasPrefix'>,
): Sql {
  return aliasPrefix === 't' ? keyword(`t${relation}`) : keyword(`r${relation}`)
}

/** The class of a type in the context of a printer. */
export function classOfType(type: SqlType, { types }: Pick<PrinterContext, 'types'>): TypeClass {
  return classOf(types, type.oid)
}
