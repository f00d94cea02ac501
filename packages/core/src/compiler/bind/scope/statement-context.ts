import type { RangeVar, SelectStmt } from '@pgsql/types'
import type { Steps } from '../../../foundation/steps.ts'
import type { Table } from '../../catalog/catalog.ts'
import type { RepeatedValues } from '../../sql/parse.ts'
import type { CteId, Query } from '../tree/bound-query.ts'
import type { BindContext } from './context.ts'
import type { Scope } from './scope.ts'

/** The context for binding a whole statement, in addition to that of expressions. */
export interface StatementContext extends BindContext {
  /**
   * The base table that a name in FROM or a write means, if no WITH query has that name.
   *
   * @throws {GatewayError} `tableNotFound`; `badRequest` for a table of another connection or without one.
   */
  tableNamed(relation: RangeVar): Table
  /** The qualifiers of its columns, where it has no alias. */
  tableQualifiers(relation: RangeVar, table: Table): ReadonlySet<string>
  /**
   * Binds a nested query. With `keepUnknown`, bare literals and parameters among its columns stay of type `unknown`; the caller
   * gives them a type.
   */
  bindSelect(select: SelectStmt, outer: Scope, options: SelectOptions): Query
  /** The same in steps. */
  bindSelectInSteps(select: SelectStmt, outer: Scope, options: SelectOptions): Steps<Query>
  /** Recursive WITH queries whose recursive term is being bound. */
  readonly openRecursions: Set<CteId>
  /** The cursors that CURRENT OF names. */
  readonly cursors: CursorReferences
  /** The VALUES of an INSERT whose syntax tree has one row of each shape only. */
  readonly repeated: RepeatedValues | undefined
}

export interface CursorReferences {
  /** @returns the index of the first of the two parameters with the place of its current row. */
  add(cursor: string, table: Table): number
}

export interface SelectOptions {
  readonly keepUnknown: boolean
}
