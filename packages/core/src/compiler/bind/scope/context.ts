import type { RangeVar } from '@pgsql/types'
import type { Connection, Table } from '../../catalog/catalog.ts'
import type { Operation } from '../../catalog/operation.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import type { Query, RelationId } from '../tree/bound-query.ts'
import type { Expression } from '../tree/expression.ts'
import type { SessionTimeZone } from '../tree/session-time-zone.ts'
import type { Scope } from './scope.ts'

/**
 * The names visible to the caller. Binding resolves names against this view only, so that every clause treats a hidden column and
 * a missing one alike: stars, NATURAL and USING see readable columns, nothing else.
 */
export interface CatalogView {
  /** Types of the connection that the caller may use. */
  readonly types: TypeSystem
  /**
   * A table by its client name.
   *
   * @throws {GatewayError} `tableNotFound` (404) when it does not exist.
   */
  table(name: string, position: number | undefined): Table
  /** Ordinals that SQL may read (SELECT, WHERE, RETURNING ...). `all` without restrictions. */
  readable(table: Table): 'all' | ReadonlySet<number>
  /**
   * Ordinals that the caller may name as columns of a write's target: those of any permission of that operation, and the readable
   * ones. Any other is an unknown column, whatever its type. Absent or `all`: no restrictions.
   */
  writable?(table: Table, operation: 'insert' | 'update'): 'all' | ReadonlySet<number>
  /** Ordinals of the columns whose sequences the caller may advance. Absent or `all`: no restrictions. */
  numbered?(table: Table): 'all' | ReadonlySet<number>
  /** May the caller see and do everything? Absent: it may. */
  readonly isUnrestricted?: boolean
  /**
   * Called before any other error about a table. Absent: no restrictions.
   *
   * @throws {GatewayError} `permissionDenied` when no permission grants the operation at all.
   */
  requireGrant?(table: Table, operation: Operation): void
  /**
   * The error for a name without a readable column: byte-identical for hidden and missing columns if the statement names a table
   * that has hidden ones.
   */
  unknownColumn(missing: MissingColumn): Error
}

/** A name without a readable column. */
export interface MissingColumn {
  readonly name: string
  /** Undefined where several tables could have the column. */
  readonly table: Table | undefined
  readonly position: number | undefined
  /** The operation that named the column; `select` unless a write sets it. */
  readonly operation?: Operation | undefined
  /** Valid names, as suggestions to the caller. */
  readonly known: readonly string[]
}

/** Types of `$1 ... $n`, inferred from their use. One per statement. */
export interface ParameterTypes {
  /** The type found so far; undefined while none is known. */
  typeOf(index: number): SqlType | undefined
  /**
   * Fixes the type of a parameter.
   *
   * @throws {GatewayError} `badRequest` with SQLSTATE 42P08 when another type was deduced before.
   */
  fix(index: number, type: SqlType, position: number | undefined): void
  /**
   * Types of all `count` parameters.
   *
   * @throws {GatewayError} `badRequest` with SQLSTATE 42P18 when one was never used or stayed undetermined.
   */
  finish(count: number): readonly SqlType[]
}

/** State of binding one statement; passed down unchanged. */
export interface BindContext {
  readonly connection: Connection
  /** The qualifiers that mean the connection. */
  readonly qualifiers: ReadonlySet<string>
  /** The schema that a qualifier of a type means, where several connections share a database. */
  readonly schemaNamed?: ((qualifier: string) => string | undefined) | undefined
  readonly types: TypeSystem
  readonly view: CatalogView
  readonly parameters: ParameterTypes
  /** How literals of timestamps without an offset are read; undefined: in UTC. */
  readonly timeZone?: SessionTimeZone | undefined
  /** The text search configuration of calls that name none: `pg_catalog.simple`; undefined: the database's own. */
  readonly textSearch?: string | undefined
  /** The database computes in `timeZone`: a timestamp with time zone is not the same as its date and time of day. */
  readonly computesInZone?: boolean | undefined
  /**
   * The key of a table or sequence that a text names.
   *
   * @param exists finds it in the connections of the search path.
   */
  relationKey(relation: RangeVar, exists: (connection: Connection, name: string) => boolean): string
  /** The tables whose `tableoid` the statement names, by relation; filled while binding. */
  readonly tableOids?: Map<RelationId, Table> | undefined
  /** A fresh RelationId or CteId. */
  nextId(): number
  /** Binds a nested query (libpg-query `SelectStmt` object). Handed in, since queries and expressions recurse. */
  bindQuery(selectStatement: unknown, outer: Scope | undefined, context: BindContext): Query
}

/** The clause that contains an expression: decides what is allowed there and how errors name it. */
export type Clause =
  | 'SELECT'
  | 'WHERE'
  | 'JOIN/ON'
  | 'GROUP BY'
  | 'HAVING'
  | 'ORDER BY'
  | 'DISTINCT ON'
  | 'VALUES'
  | 'UPDATE'
  | 'RETURNING'
  | 'LIMIT'
  | 'OFFSET'
  | 'FROM'
  | 'FILTER'
  | 'WINDOW'
  | 'ON CONFLICT'
  | 'WHEN'

/** Calls in subqueries that belong to an outer level: columns of a subquery in FROM, which that level reads instead of its tables. */
export interface LiftedCalls {
  /** Of that subquery; undefined until there is a call. */
  relation: RelationId | undefined
  readonly calls: Expression[]
}

/** The context of an expression. One object per clause and query level. */
export interface ExpressionEnvironment {
  readonly context: BindContext
  /** Names visible here: this level's FROM, then outer levels. */
  readonly scope: Scope
  readonly clause: Clause
  /**
   * Filled while binding: PostgreSQL forbids aggregates, window calls and set-returning functions (`sets`) in some
   * clauses and inside each other.
   */
  readonly found: { aggregates: number; windows: number; sets?: number }
  readonly aggregates: 'allowed' | 'forbidden'
  readonly windows: 'allowed' | 'forbidden'
  /** Named windows (WINDOW clause) as libpg-query `WindowDef` objects by name; bound where they are used. */
  readonly namedWindows: ReadonlyMap<string, unknown>
  /** GROUP BY expressions of this level, for GROUPING(); empty when there are none. */
  readonly groupExpressions: readonly Expression[]
  /** Aggregates of this level inside its subqueries; undefined where a level cannot have aggregates. */
  readonly lifted?: LiftedCalls | undefined
}
