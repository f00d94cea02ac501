/** @module Entries of PostgreSQL's system catalogs for types, functions, operators and casts. */

/** A PostgreSQL object identifier. `0` is never the id of an object. */
export type Oid = number

/**
 * The kind of a type. A `composite` is only ever `record`. An `opaque` type belongs to an extension: it
 * can be selected, compared for equality, tested for NULL and written as text.
 */
export type PgTypeKind =
  | 'base'
  | 'enum'
  | 'domain'
  | 'pseudo'
  | 'composite'
  | 'opaque'
  | 'range'
  | 'multirange'

/** A type, as in `pg_type`. */
export interface PgType {
  readonly oid: Oid
  /** As in `pg_type.typname`: `int4`, `_text`, `mood`; never schema-qualified. */
  readonly name: string
  /** One letter of `pg_type.typcategory`: `N` numeric, `S` string, `D` date/time, `A` array ... */
  readonly category: string
  readonly isPreferred: boolean
  readonly kind: PgTypeKind
  /** Set on true arrays only. */
  readonly elementOid?: Oid
  readonly arrayOid?: Oid
  /** The type of the parts of a geometric type that a subscript reads: the coordinates of a point, the points of a box. */
  readonly partOid?: Oid
  /** Set on ranges: the type of the bounds. */
  readonly subtypeOid?: Oid
  /** Set on ranges, except in versions of PostgreSQL without multiranges. */
  readonly multirangeOid?: Oid
  /** Set on domains. */
  readonly baseOid?: Oid
  /** The modifier a domain gives its base type: `create domain d as varchar(5)`. */
  readonly baseTypmod?: number
  /** A domain of `not null`. */
  readonly isNotNull?: boolean
  readonly isCollatable: boolean
  /** Set on enums, in their order. */
  readonly enumLabels?: readonly string[]
  /** Set on enums whose labels are not simply counted, as after ALTER TYPE: `pg_enum.enumsortorder` of each label. For catalog queries only. */
  readonly enumSortOrders?: readonly number[]
  /** Set on domains with a check that lists their only values. */
  readonly listedValues?: readonly (string | number)[]
  /** Set on composite types of a connection, in their order; undefined where they are unknown. */
  readonly attributes?: readonly PgAttribute[]
  /** Set on the composite type of a table's rows: its attributes are the table's columns. */
  readonly isRowType?: true
  /** Of a type of a connection, for catalog queries only. */
  readonly comment?: string
  /** Between the elements of an array's text: `;` for box, absent means `,`. */
  readonly delimiter?: string
  /** May client SQL use this type's name, for example in a cast? False for pseudo-types, `reg*` and others. */
  readonly isNameable: boolean
  /** The schema of the type, if it is not `pg_catalog`. */
  readonly schema?: string
}

/** A part of a composite type. */
export interface PgAttribute {
  readonly name: string
  readonly oid: Oid
  readonly typmod: number
}

export type Volatility = 'immutable' | 'stable' | 'volatile'

/** A column of a function in FROM, or a named argument: `make_interval(days => 1)`. */
export interface PgFunctionColumn {
  readonly name: string
  readonly oid: Oid
}

/** A function, as in `pg_proc`. */
export interface PgFunction {
  readonly oid: Oid
  readonly name: string
  readonly kind: 'function' | 'aggregate' | 'window'
  /** For an aggregate: its form, which decides how many arguments come before WITHIN GROUP. */
  readonly aggregateKind?: 'normal' | 'orderedSet' | 'hypotheticalSet'
  readonly directArgumentCount?: number
  /** The last one is an array (or `"any"`) when the function is variadic. */
  readonly argumentOids: readonly Oid[]
  /** Present where arguments may be given by name. */
  readonly argumentNames?: readonly string[]
  /** The element type of a variadic last argument, or `oids.any`. */
  readonly variadicOid?: Oid
  /** The number of last arguments that may be omitted. */
  readonly defaultCount: number
  readonly resultOid: Oid
  readonly returnsSet: boolean
  /** Columns where the result is a `record`, or the one named output column. */
  readonly outputColumns?: readonly PgFunctionColumn[]
  /** Returns NULL for a NULL argument, without being called. */
  readonly isStrict: boolean
  readonly volatility: Volatility
  readonly isLeakproof: boolean
  /** Can a value make it fail? True unless the opposite is known. */
  readonly canRaise: boolean
  /** Resolution returns only allowed functions; the others are listed so that they can be refused. */
  readonly isAllowed: boolean
  /** Allowed only because it implements an allowed operator: `booleq` is `=`. */
  readonly isOfOperator?: true
  /** Key of the overload in the dialects' tables: `lower(text)`, `count()`. */
  readonly signature: string
  /** The schema of the function, if it is not `pg_catalog`. */
  readonly schema?: string
}

/** An operator, as in `pg_operator`. */
export interface PgOperator {
  readonly oid: Oid
  readonly name: string
  /** Absent for a prefix operator. */
  readonly leftOid?: Oid
  readonly rightOid: Oid
  readonly resultOid: Oid
  readonly functionOid: Oid
  readonly functionName: string
  readonly isStrict: boolean
  readonly volatility: Volatility
  readonly isLeakproof: boolean
  readonly canRaise: boolean
  readonly isAllowed: boolean
  /** Key of the overload in the dialects' tables: `=(int4,int4)`, `-(int4)` for a prefix operator. */
  readonly signature: string
  /** Signature of the operator with its sides swapped. */
  readonly commutator?: string
  /** Signature of the operator that is true where this one is false. */
  readonly negator?: string
  readonly schema?: string
}

/** Where a conversion may happen implicitly: everywhere, on INSERT/UPDATE only, or never. */
export type CoercionContext = 'implicit' | 'assignment' | 'explicit'

/** A cast between two types, as in `pg_cast`. */
export interface PgCast {
  readonly sourceOid: Oid
  readonly targetOid: Oid
  readonly context: CoercionContext
  readonly method: 'function' | 'binary' | 'inout'
  /** For method `function`. */
  readonly functionOid?: Oid
  readonly volatility: Volatility
  readonly isLeakproof: boolean
  readonly canRaise: boolean
}
