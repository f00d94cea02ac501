/**
 * @module Typed expressions. Every implicit coercion of PostgreSQL is an explicit `cast` here; untyped literals and parameters
 * have their final type. Constants are values, never SQL text.
 */
import type { Table } from '../../catalog/catalog.ts'
import type { PgFunction, PgOperator } from '../../sql-types/pg-type.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import type { CalendarOffset, CallerSlot, SqlValue } from '../../sql-types/value-source.ts'
// biome-ignore lint/suspicious/noImportCycles: a query holds expressions, an expression holds queries; types alone
import type { Query, RelationId, SortKey } from './bound-query.ts'

/** An expression whose names and types are resolved. */
export type Expression =
  | ColumnReference
  | OutputReference
  | OldCondition
  | Constant
  | Parameter
  | CallerValue
  | RequestTime
  | FunctionCall
  | OperatorCall
  | Cast
  | Logical
  | Not
  | NullTest
  | BooleanTest
  | DistinctTest
  | Case
  | Coalesce
  | NullIf
  | Extremum
  | InList
  | QuantifiedArray
  | ArrayConstructor
  | Subscript
  | ArraySection
  | Row
  | Field
  | RowComparison
  | ScalarSubquery
  | ArraySubquery
  | Exists
  | QuantifiedSubquery
  | Aggregate
  | WindowCall
  | Grouping
  | WholeRow
  | Collate

interface Typed {
  readonly type: SqlType
  /** 1-based character position in the client's text, for messages; absent for expressions that policies add. */
  readonly position?: number
}

/** `column` indexes the relation's columns (the catalog's, for a table). */
export interface ColumnReference extends Typed {
  readonly kind: 'column'
  readonly relation: RelationId
  readonly column: number
}

/** A result column of the same query by index; only as a whole ORDER BY key. */
export interface OutputReference extends Typed {
  readonly kind: 'output'
  readonly index: number
}

/** `WriteSecurity.oldConditions[index]`; only inside `WriteSecurity.check`. */
export interface OldCondition extends Typed {
  readonly kind: 'oldCondition'
  readonly index: number
}

/** A constant of the statement or of a permission; it is sent as a parameter. */
export interface Constant extends Typed {
  readonly kind: 'constant'
  readonly value: SqlValue
}

/** `$n` of the client; `index` 0 is `$1`. */
export interface Parameter extends Typed {
  readonly kind: 'parameter'
  readonly index: number
}

/** `$user.<field>` of a policy. */
export interface CallerValue extends Typed {
  readonly kind: 'caller'
  readonly slot: CallerSlot
}

/** now(), current_timestamp, current_date, localtimestamp, `$now` ... by `type`; one timestamp for the whole request. */
export interface RequestTime extends Typed {
  readonly kind: 'requestTime'
  /** Added to the timestamp, after `calendar` shifted it. */
  readonly offsetMs: number
  readonly calendar: CalendarOffset | undefined
  /** Of a word such as `'today'`: the zone whose clock is shifted, by PostgreSQL's name; undefined = UTC. */
  readonly zone?: string | undefined
  /** Of a transaction, its start, as the client's now() is; permissions count from the request. */
  readonly ofTransaction?: boolean
}

/** A plain or set-returning function. Arguments of a variadic parameter are spread; defaults are not filled in. */
export interface FunctionCall extends Typed {
  readonly kind: 'call'
  readonly function: PgFunction
  readonly args: readonly Expression[]
  /** `concat(variadic names)`: the last argument is the array of those of a variadic parameter. */
  readonly isVariadic?: true
  /** Of `nextval` and `currval` only: the column that the sequence numbers. */
  readonly numbered?: { readonly table: Table; readonly column: number }
}

/** `a + b`, `- a` */
export interface OperatorCall extends Typed {
  readonly kind: 'operator'
  readonly operator: PgOperator
  /** Undefined for a prefix operator. */
  readonly left: Expression | undefined
  readonly right: Expression
}

/** A conversion to another type or another length. */
export interface Cast extends Typed {
  readonly kind: 'cast'
  readonly operand: Expression
  /** The method PostgreSQL uses: a function, the same bytes, or text; `length` re-applies a typmod. */
  readonly method: 'function' | 'binary' | 'inout' | 'length' | 'array'
  /** Written by the client (CAST, ::) rather than implied. Explicit casts to varchar(n) truncate, others raise. */
  readonly isExplicit: boolean
}

/** At least two operands, none of them of the same `operator`. Three-valued. */
export interface Logical extends Typed {
  readonly kind: 'logical'
  readonly operator: 'and' | 'or'
  readonly operands: readonly Expression[]
}

/** `not a` */
export interface Not extends Typed {
  readonly kind: 'not'
  readonly operand: Expression
}

/** `a is null`, `a is not null` */
export interface NullTest extends Typed {
  readonly kind: 'nullTest'
  readonly operand: Expression
  readonly negated: boolean
}

/** `x IS [NOT] TRUE | FALSE | UNKNOWN`. */
export interface BooleanTest extends Typed {
  readonly kind: 'booleanTest'
  readonly operand: Expression
  readonly test: 'true' | 'false' | 'unknown'
  readonly negated: boolean
}

/** `left IS DISTINCT FROM right`; `negated`: IS NOT DISTINCT FROM. `operator` is the equality of their type. */
export interface DistinctTest extends Typed {
  readonly kind: 'distinctTest'
  readonly operator: PgOperator
  readonly left: Expression
  readonly right: Expression
  readonly negated: boolean
}

/** Searched CASE: simple CASE is bound to comparisons with its operand. `otherwise` undefined = NULL. */
export interface Case extends Typed {
  readonly kind: 'case'
  readonly whens: readonly { readonly condition: Expression; readonly result: Expression }[]
  readonly otherwise: Expression | undefined
  /** Bound from `tableoid::regclass`. */
  readonly isTableName?: true | undefined
}

/** `coalesce(a, b)` */
export interface Coalesce extends Typed {
  readonly kind: 'coalesce'
  readonly args: readonly Expression[]
}

/** `nullif(a, b)` */
export interface NullIf extends Typed {
  readonly kind: 'nullIf'
  readonly operator: PgOperator
  readonly left: Expression
  readonly right: Expression
}

/** GREATEST / LEAST: NULL arguments are ignored. */
export interface Extremum extends Typed {
  readonly kind: 'extremum'
  readonly function: 'greatest' | 'least'
  readonly args: readonly Expression[]
}

/** `operand IN (items)`; `operator` is the equality; `negated`: NOT IN. Three-valued. */
export interface InList extends Typed {
  readonly kind: 'inList'
  readonly operator: PgOperator
  readonly operand: Expression
  readonly items: readonly Expression[]
  readonly negated: boolean
}

/** `operand <operator> ANY|ALL (array)`. */
export interface QuantifiedArray extends Typed {
  readonly kind: 'quantifiedArray'
  readonly operator: PgOperator
  readonly quantifier: 'any' | 'all'
  readonly operand: Expression
  /** An expression of an array type. */
  readonly array: Expression
}

/** `array[a, b]` */
export interface ArrayConstructor extends Typed {
  readonly kind: 'array'
  readonly elements: readonly Expression[]
}

/** `operand[index]` of an array. */
export interface Subscript extends Typed {
  readonly kind: 'subscript'
  readonly operand: Expression
  readonly index: Expression
}

/**
 * `operand[1:2]`, `operand[1][2]`: all other subscripts of an array, one step for each dimension. With a slice among them
 * the result is an array, and a single index `n` means `1:n`.
 */
export interface ArraySection extends Typed {
  readonly kind: 'arraySection'
  readonly operand: Expression
  readonly steps: readonly SubscriptStep[]
}

/** `[2]` or `[1:3]` of an array. */
export type SubscriptStep =
  | { readonly kind: 'index'; readonly index: Expression }
  /** An absent bound is the bound of the array. */
  | {
      readonly kind: 'slice'
      readonly lower: Expression | undefined
      readonly upper: Expression | undefined
    }

/**
 * `(a, b)` or `row(a, b)` (type record) as one value, which is never NULL; its fields are called `f1`, `f2` ... Without the trait
 * `rowValues` only as an argument of `count`, `to_json`, `to_jsonb` and `row_to_json`.
 */
export interface Row extends Typed {
  readonly kind: 'row'
  readonly fields: readonly Expression[]
}

/** `(operand).name`, where the operand has a composite type of the database or is a call of a function with columns. */
export interface Field extends Typed {
  readonly kind: 'field'
  readonly operand: Expression
  /** The name of the attribute in the catalog. */
  readonly name: string
}

/** The name of a comparison operator. */
export type ComparisonName = '=' | '<>' | '<' | '<=' | '>' | '>='

/** `(a, b) <comparison> (x, y)`; `operators[i]` compares the i-th fields (equality too for ordering ones: see `equals`). */
export interface RowComparison extends Typed {
  readonly kind: 'rowComparison'
  readonly comparison: ComparisonName
  /** The operator named `comparison` for each pair. */
  readonly operators: readonly PgOperator[]
  readonly left: readonly Expression[]
  readonly right: readonly Expression[]
}

/** One column, at most one row (else SQLSTATE 21000); no row is NULL. */
export interface ScalarSubquery extends Typed {
  readonly kind: 'subquery'
  readonly query: Query
}

/** `array(select ...)` */
export interface ArraySubquery extends Typed {
  readonly kind: 'arraySubquery'
  readonly query: Query
}

/** `exists (select ...)` */
export interface Exists extends Typed {
  readonly kind: 'exists'
  readonly query: Query
}

/**
 * `operands <comparison> ANY|ALL (query)`; IN is `= ANY`, NOT IN is a `not` around it. `one`: `(a, b) <comparison>
 * (query)`, which is NULL without a row and fails with several (SQLSTATE 21000).
 */
export interface QuantifiedSubquery extends Typed {
  readonly kind: 'quantifiedSubquery'
  readonly comparison: ComparisonName
  readonly operators: readonly PgOperator[]
  readonly quantifier: 'any' | 'all' | 'one'
  readonly operands: readonly Expression[]
  /** Its columns already have the operators' right-hand types. */
  readonly query: Query
}

/** `count(*)` has no args. */
export interface Aggregate extends Typed {
  readonly kind: 'aggregate'
  readonly function: PgFunction
  readonly args: readonly Expression[]
  readonly distinct: boolean
  readonly orderBy: readonly SortKey[]
  readonly filter: Expression | undefined
  /** Ordered-set aggregates: `orderBy` is WITHIN GROUP. */
  readonly withinGroup: boolean
}

/** A window function or an aggregate with OVER. Named windows are already filled in. */
export interface WindowCall extends Typed {
  readonly kind: 'window'
  readonly function: PgFunction
  readonly args: readonly Expression[]
  readonly filter: Expression | undefined
  readonly partitionBy: readonly Expression[]
  readonly orderBy: readonly SortKey[]
  /** Undefined = PostgreSQL's default frame. */
  readonly frame: WindowFrame | undefined
}

/** `rows between ... and ...` of a window. */
export interface WindowFrame {
  readonly mode: 'rows' | 'range' | 'groups'
  readonly start: FrameBound
  readonly end: FrameBound
  readonly exclude: 'none' | 'currentRow' | 'group' | 'ties'
}

/** One end of a window frame. */
export type FrameBound =
  | { readonly kind: 'unboundedPreceding' | 'unboundedFollowing' | 'currentRow' }
  | { readonly kind: 'preceding' | 'following'; readonly offset: Expression }

/** GROUPING(...): indexes into the query's `groupBy.expressions`. int4. */
export interface Grouping extends Typed {
  readonly kind: 'grouping'
  readonly expressions: readonly number[]
}

/**
 * A whole row of `relation` (type record): `to_json(t)`, `row_to_json(t.*)`, `json_agg(t)`, `count(t)`.
 * SQL NULL when an outer join null-extended the row. Without the trait `rowValues` only as an argument of functions that make
 * JSON of it.
 */
export interface WholeRow extends Typed {
  readonly kind: 'wholeRow'
  readonly relation: RelationId
  /** Field names (JSON keys) and their columns in order. */
  readonly fields: readonly { readonly name: string; readonly value: Expression }[]
}

/** Byte order, the only collation that a client may name. */
export interface Collate extends Typed {
  readonly kind: 'collate'
  readonly operand: Expression
}
