/**
 * @module The tree that every stage after parsing uses. Names are resolved to identities, stars are expanded, every expression
 * has a PostgreSQL type. Only this tree is printed.
 */
import type { Connection, Table } from '../../catalog/catalog.ts'
import type { IndexPart, NativeSql } from '../../catalog/unique-index.ts'
import type { RepeatedRow } from '../../sql/repeated-rows.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { CursorReference } from './current-row.ts'
import type { CursorRows } from './cursor-rows.ts'
// biome-ignore lint/suspicious/noImportCycles: a query holds expressions, an expression holds queries; types alone
import type { Expression, FunctionCall, SubscriptStep } from './expression.ts'
// biome-ignore lint/suspicious/noImportCycles: a query holds expressions, an expression holds queries; types alone
import type { SecuredTable } from './secured-table.ts'

/** Identity of one FROM item (or write target row) within one statement; unique over the whole statement. */
export type RelationId = number

/** Identity of a WITH query within one statement. */
export type CteId = number

/** A whole statement, bound to exactly one connection. */
export interface BoundStatement {
  readonly connection: Connection
  readonly body: Query | Write
  /** Type of each `$n` (index 0 is `$1`); every parameter that the client sends has one. */
  readonly parameterTypes: readonly SqlType[]
  /** The next free RelationId / CteId: later stages that add relations continue from here. */
  readonly nextId: number
  /** The cursors that CURRENT OF names; absent where there are none. */
  readonly cursors?: readonly CursorReference[] | undefined
  /** Set for the query of a cursor, whose last columns are not the client's. */
  readonly cursorRows?: CursorRows | undefined
}

/** Name (as the client gave it or PostgreSQL would derive it) and type of a result column. */
export interface OutputColumn {
  readonly name: string
  readonly type: SqlType
}

/** A query: SELECT, a set operation or VALUES. */
export type Query = SelectQuery | SetQuery | ValuesQuery

interface QueryTail {
  /** WITH queries of this level, in order; each sees the earlier ones, itself when recursive. */
  readonly ctes: readonly CommonTable[]
  readonly columns: readonly OutputColumn[]
  readonly orderBy: readonly SortKey[]
  readonly limit: Limit | undefined
  /** int8; undefined = 0. */
  readonly offset: Expression | undefined
}

/** LIMIT or FETCH, with the limits of the configuration and of permissions. */
export interface Limit {
  /** int8 constant, parameter or other row-independent expression; a NULL value means no limit. */
  readonly count: Expression | undefined
  /** Upper bound set by `limits.maxRows`; a printer takes the smaller of the two. */
  readonly max: number | undefined
  readonly withTies: boolean
}

/** A SELECT. */
export interface SelectQuery extends QueryTail {
  readonly kind: 'select'
  /** `outputs[i]` is the expression of `columns[i]`. */
  readonly outputs: readonly Expression[]
  /** `distinctOn` are the leading ORDER BY keys (or any, without ORDER BY). */
  readonly distinct: 'none' | 'all' | { readonly on: readonly Expression[] }
  /** Comma list; each item is cross joined with the ones before. Empty = one row without columns. */
  readonly from: readonly FromItem[]
  readonly where: Expression | undefined
  readonly groupBy: GroupBy | undefined
  /** True with GROUP BY, HAVING or any aggregate of this level (then without GROUP BY there is one group). */
  readonly isAggregated: boolean
  readonly having: Expression | undefined
  readonly locking: readonly Locking[]
  /** Set for the body of a MERGE only: its result is a number, not the rows of the query. */
  readonly counted?: CountedWrites | undefined
}

/** The rows that a MERGE has changed: those of some writes in the WITH of the same query. */
export interface CountedWrites {
  /** Their `returning` is counted. */
  readonly writes: readonly CteId[]
  /** Reads in WITH. More pairs of a source row and a target row than target rows are an error (SQLSTATE 21000). */
  readonly matches: { readonly pairs: CteId; readonly rows: CteId } | undefined
}

/** `sets[k]` are indexes into `expressions`; plain GROUP BY is one set with all of them. ROLLUP and CUBE are expanded. */
export interface GroupBy {
  readonly expressions: readonly Expression[]
  readonly sets: readonly (readonly number[])[]
}

/** UNION, INTERSECT or EXCEPT. */
export interface SetQuery extends QueryTail {
  readonly kind: 'setOperation'
  readonly operator: 'union' | 'intersect' | 'except'
  readonly all: boolean
  /** Both sides have exactly the types of `columns` (casts are inside their outputs). */
  readonly left: Query
  readonly right: Query
}

/** VALUES as a query. */
export interface ValuesQuery extends QueryTail {
  readonly kind: 'values'
  /** `rows[i][j]`: row i, column j; all rows have the types of `columns`. */
  readonly rows: readonly (readonly Expression[])[]
}

/** `expression` is `{ kind: 'output' }` where the key is a result column (always so above set operations). */
export interface SortKey {
  readonly expression: Expression
  readonly descending: boolean
  /** Never left to the database: PostgreSQL's default is filled in (last for ASC, first for DESC). */
  readonly nullsFirst: boolean
}

/** FOR UPDATE and the like. */
export interface Locking {
  readonly strength: 'update' | 'noKeyUpdate' | 'share' | 'keyShare'
  /** Relations of this FROM that are locked. */
  readonly relations: readonly RelationId[]
  readonly wait: 'block' | 'skip' | 'error'
}

/** One query of WITH. */
export interface CommonTable {
  readonly id: CteId
  readonly columns: readonly OutputColumn[]
  /** A write only on the top level (PostgreSQL's data-modifying WITH). */
  readonly query: Query | Write
  /** True if it refers to itself: `query` is a union whose right side has a `cte` item of this id. */
  readonly isRecursive: boolean
  readonly materialized: boolean | undefined
  /** SEARCH and CYCLE: `columns` ends with those that they add, which `query` does not have. */
  readonly traversal?: Traversal | undefined
}

/** SEARCH and CYCLE of a recursive query. */
export interface Traversal {
  /** Adds a column that sorts the rows; `by` are indexes of columns of the query. */
  readonly order: { readonly kind: 'depth' | 'breadth'; readonly by: readonly number[] } | undefined
  /** Adds a boolean column, TRUE where a row closes a cycle, and the path to the row. */
  readonly marks: CycleMarks | undefined
}

/** CYCLE. The values of the mark for the client are constants. */
export interface CycleMarks {
  readonly by: readonly number[]
  readonly value: Expression
  readonly otherwise: Expression
}

/** The source of rows. `columns` are the names and types that `column` expressions index. */
export type FromItem = TableItem | SecuredTable | SubqueryItem | CteItem | FunctionItem | JoinItem

/** A base table as bound. Only `authorize` may see one: it replaces each by a SecuredTable. */
export interface TableItem {
  readonly kind: 'table'
  readonly id: RelationId
  /** `column` expressions index `table.columns`. */
  readonly table: Table
  /** TABLESAMPLE; absent: all rows. */
  readonly sample?: FunctionCall | undefined
}

/** A query in FROM. */
export interface SubqueryItem {
  readonly kind: 'subquery'
  readonly id: RelationId
  readonly query: Query
  /** May refer to items on its left. */
  readonly lateral: boolean
}

/** A reference to a query of WITH, in FROM. */
export interface CteItem {
  readonly kind: 'cte'
  readonly id: RelationId
  readonly cte: CteId
  readonly columns: readonly OutputColumn[]
}

/** A set-returning (or scalar) function in FROM. Its arguments may refer to items on its left. */
export interface FunctionItem {
  readonly kind: 'function'
  readonly id: RelationId
  readonly call: Expression
  /** The function's own columns, then `ordinality` (int8) when `withOrdinality`. */
  readonly columns: readonly OutputColumn[]
  readonly withOrdinality: boolean
}

/** NATURAL and USING are already an `on`; merged columns are already plain or COALESCE expressions. */
export interface JoinItem {
  readonly kind: 'join'
  readonly type: 'inner' | 'left' | 'right' | 'full' | 'cross'
  readonly left: FromItem
  readonly right: FromItem
  /** Undefined only for `cross`. */
  readonly on: Expression | undefined
}

/** A statement that changes rows of one table. */
export type Write = InsertWrite | UpdateWrite | DeleteWrite

/** The table that a statement writes, and the identities of its rows in the statement's expressions. */
export interface WriteTarget {
  readonly table: Table
  /** The row before: in WHERE, SET (and in DO UPDATE: the existing row). Meaningless for a plain INSERT. */
  readonly oldRow: RelationId
  /** The row as stored after the write (for DELETE: the deleted row): in RETURNING. */
  readonly newRow: RelationId
}

interface WriteCommon {
  readonly ctes: readonly CommonTable[]
  readonly target: WriteTarget
  readonly returning: Returning | undefined
  /** Set by `authorize` only; printers refuse a write without it. */
  readonly security: WriteSecurity | undefined
}

/** RETURNING of a write. */
export interface Returning {
  readonly outputs: readonly Expression[]
  readonly columns: readonly OutputColumn[]
  /** For a write of MERGE: it has no outputs, its rows are counted. No client can ask for that with RETURNING. */
  readonly isCounted?: boolean
}

/** An INSERT. */
export interface InsertWrite extends WriteCommon {
  readonly kind: 'insert'
  /** Ordinals of the written columns, in the order of the source's columns. */
  readonly columns: readonly number[]
  /**
   * `insert into t (tags[2], home.street)`: `parts[i]` is the part of column i that gets the value; the rest of the column is NULL. A
   * column may occur several times, in parts. PostgreSQL only.
   */
  readonly parts?: readonly (readonly TargetStep[] | undefined)[] | undefined
  readonly source: InsertSource
  readonly onConflict: OnConflict | undefined
  readonly overriding: 'system' | 'user' | undefined
}

/** The rows of an INSERT. */
export type InsertSource =
  /** Cells already have the columns' types (assignment casts inside); `default` is the column's default. */
  | { readonly kind: 'values'; readonly rows: readonly (readonly (Expression | DefaultCell)[])[] }
  | RepeatedRows
  | { readonly kind: 'query'; readonly query: Query }
  | { readonly kind: 'defaults' }

/** Many rows of few shapes, as `values`: see `rowsOf`. No cell contains a relation. */
export interface RepeatedRows {
  readonly kind: 'repeated'
  /** A row of each shape; every shape occurs in `rows`. */
  readonly shapes: readonly (readonly (Expression | DefaultCell)[])[]
  /** `shift` is added to the index of every parameter of the shape. */
  readonly rows: readonly RepeatedRow[]
}

/** DEFAULT in place of a value. */
export interface DefaultCell {
  readonly kind: 'default'
}

/** ON CONFLICT of an INSERT. */
export interface OnConflict {
  /** Undefined = any unique key (DO NOTHING only). */
  readonly target: ConflictTarget | undefined
  readonly action:
    | { readonly kind: 'nothing' }
    | {
        readonly kind: 'update'
        /** Identity of the proposed row (`excluded`). */
        readonly excluded: RelationId
        readonly assignments: readonly Assignment[]
        readonly where: Expression | undefined
      }
}

/** The unique key or index that ON CONFLICT names. */
export interface ConflictTarget {
  /** Ordinals: the columns of a key over all rows; with `index`, all columns that the client named. */
  readonly columns: readonly number[]
  /** Set where the target means an index that is no such key: its columns alone say nothing about conflicts. */
  readonly index: ConflictIndex | undefined
}

/** The unique indexes of expressions or of some rows that a target means, as the database spells them. */
export interface ConflictIndex {
  /** In the order of the target. */
  readonly parts: readonly ConflictPart[]
  /** Those of partial indexes: together they imply the condition of each. */
  readonly conditions: readonly NativeSql[]
  /** The number of indexes that are meant, a key over all rows included. */
  readonly count: number
  /** Undefined where a statement could not evaluate the same, or where several indexes are meant. */
  readonly meaning: IndexMeaning | undefined
}

/** An index as expressions: two rows for which the condition is TRUE, and whose expressions are equal, have the same key. */
export interface IndexMeaning {
  /** The identity of the row in the expressions. They are no part of the statement: they are copied with other rows. */
  readonly relation: RelationId
  readonly expressions: readonly Expression[]
  /** Undefined: the index is over all rows. */
  readonly condition: Expression | undefined
}

/** A part of a target with its index's collation and operator class, and whether the client named them. */
export interface ConflictPart extends IndexPart {
  readonly namesCollation: boolean
  readonly namesOperatorClass: boolean
}

/** `column = value` of an UPDATE. */
export interface Assignment {
  /** Ordinal of the column. */
  readonly column: number
  /** `set tags[2] = value`: the value replaces this part of the column, whose rest stays. PostgreSQL only. */
  readonly part?: readonly TargetStep[] | undefined
  readonly value: Expression | DefaultCell
}

/** A step from a column to a part of it as a target. Bounds are constants and parameters. */
export type TargetStep =
  | SubscriptStep
  /** An attribute of a composite type, by its name in the catalog. */
  | { readonly kind: 'field'; readonly name: string }

/** An UPDATE. */
export interface UpdateWrite extends WriteCommon {
  readonly kind: 'update'
  readonly assignments: readonly Assignment[]
  readonly from: readonly FromItem[]
  readonly where: Expression | undefined
}

/** A DELETE. */
export interface DeleteWrite extends WriteCommon {
  readonly kind: 'delete'
  readonly using: readonly FromItem[]
  readonly where: Expression | undefined
}

/** The conditions that `authorize` sets for a write. They refer to raw cells of `target.newRow` unless stated otherwise. */
export interface WriteSecurity {
  /**
   * UPDATE and DELETE: the existing rows this write may touch, as the caller sees them; its `id` is
   * `target.oldRow`. Undefined for INSERT.
   */
  readonly rows: SecuredTable | undefined
  /** DO UPDATE: condition on the existing row's raw cells (`target.oldRow`); rows that fail are skipped. */
  readonly existing: Expression | undefined
  /**
   * Conditions on raw cells of the old row that `check` refers to as `{ kind: 'oldCondition', index }`: of `rows.base` for
   * an UPDATE, of `target.oldRow` for DO UPDATE. They are TRUE for rows that an upsert inserts.
   */
  readonly oldConditions: readonly Expression[]
  /** Must be TRUE for every stored row, else everything is rolled back (422). */
  readonly check: Expression | undefined
  /**
   * INSERT with ON CONFLICT: must be TRUE for every proposed row (`target.newRow`), also for one that is not stored because
   * another row has its key. Checked before the write; printers ignore it.
   */
  readonly proposed?: Expression | undefined
  /** RETURNING omits stored rows for which this is not TRUE. Cells of `returning.outputs` are already masked. */
  readonly visible: Expression | undefined
}
