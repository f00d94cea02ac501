/**
 * @module Filters over a schema that TypeScript checks: columns, relations and the operators that fit a column's type.
 * `engine-codegen --format permissions` writes the schema.
 */
import type { filterTypes, typesWithoutEquality } from '@engine/contract'
import type { FilterCondition } from './filter.ts'
import type { OperandsOfClass, UserField } from './operands.ts'

/** A table of a schema. */
export interface TableShape {
  readonly columns: Readonly<Record<string, ColumnShape>>
  /** By relation name. */
  readonly relations: Readonly<Record<string, RelationShape>>
}

/**
 * A column: PostgreSQL's name of its type without modifiers, as in `GET /schema`: `numeric`, `text[]`. With the only values of
 * the column, or of the elements of an array, where its declaration lists them.
 */
export type ColumnShape = string | { readonly type: string; readonly values: string | number }

/** The name of a column's type. */
type TypeOf<Shape extends ColumnShape> = Shape extends { readonly type: infer Type extends string }
  ? Type
  : Shape extends string
    ? Shape
    : never

/** A relation from one table to another. */
export interface RelationShape {
  /** `<connection>.<table>` */
  readonly table: string
  /** To-many: a filter on it uses `$some`, `$every` or `$none`. */
  readonly many: boolean
}

/** Tables by `<connection>.<table>`. */
export type SchemaShape<Schema> = { readonly [Table in keyof Schema]: TableShape }

/** A number of any size: a number that JavaScript cannot represent exactly is a text. */
type Numeric = number | bigint | `${number}`

/** Constants by type. Constants of all other types (enums, `uuid`, `inet`) are texts. */
interface Constants {
  readonly boolean: boolean
  readonly smallint: Numeric
  readonly integer: Numeric
  readonly bigint: Numeric
  readonly numeric: Numeric | 'NaN' | 'Infinity' | '-Infinity'
  readonly real: Numeric | 'NaN' | 'Infinity' | '-Infinity'
  readonly 'double precision': Numeric | 'NaN' | 'Infinity' | '-Infinity'
  readonly json: unknown
  readonly jsonb: unknown
}

/** A constant of a type. */
type ConstantOfType<Type extends string> = Type extends `${infer Item}[]`
  ? readonly (ConstantOfType<Item> | null)[]
  : Type extends keyof Constants
    ? Constants[Type]
    : string

/** A constant that a column may have. */
export type ConstantOf<Shape extends ColumnShape> = Shape extends { readonly values: infer Value }
  ? TypeOf<Shape> extends `${string}[]`
    ? readonly (Value | null)[]
    : Value
  : ConstantOfType<TypeOf<Shape>>

/** The types that `$now` is compared with. */
type MomentType = 'date' | 'timestamp without time zone' | 'timestamp with time zone'

type Listed = typeof filterTypes

/** PostgreSQL has no equality for these. */
type IncomparableType = (typeof typesWithoutEquality)[number]

/** The listed classes that a type is of. */
type ClassOf<Type extends string> = {
  [Class in keyof Listed]: Type extends Listed[Class][number] ? Class : never
}[keyof Listed]

/** Operators of a type except `$not`, each with the type of its operand; a column is compared with `Compared`. */
export type OperandsOf<Type extends string, Value, Compared = Value> = OperandsOfClass<
  'any',
  Value
> &
  (Type extends IncomparableType ? unknown : OperandsOfClass<'equality' | 'order', Compared>) &
  (Type extends `${string}[]` ? OperandsOfClass<'array', Value> : unknown) &
  ([ClassOf<Type>] extends [never] ? unknown : OperandsOfClass<ClassOf<Type>, Value>)

/** The sources of a value of a type. */
export type SourceOf<
  Shape extends ColumnShape,
  Column extends string,
  Outer extends string = never,
> =
  | UserField
  /** A literal text, even if it begins with `$user.`. */
  | { readonly $literal: string }
  /** The time of the request, shifted by an interval of PostgreSQL: `'-30d'`. */
  | (TypeOf<Shape> extends MomentType ? { readonly $now: string } : never)
  /** Another column of the row. */
  | ([Column] extends [never] ? never : { readonly $col: Column })
  /** Inside `$exists`: a column of the outer row. */
  | ([Outer] extends [never] ? never : { readonly $outer: Outer })

/** The value that a column equals when no operator is given. Objects are always operators, also for JSON columns. */
type ShortOf<Shape extends ColumnShape, Column extends string, Outer extends string> =
  | (TypeOf<Shape> extends IncomparableType
      ? never
      : TypeOf<Shape> extends 'jsonb'
        ? string | number | boolean | readonly unknown[]
        : ConstantOf<Shape>)
  | SourceOf<Shape, Column, Outer>

/** The condition on a column: a value that it equals, or operators, AND-ed. Patterns and the like may be any text. */
export type ConditionOf<
  Shape extends ColumnShape,
  Column extends string,
  Outer extends string = never,
> =
  | ShortOf<Shape, Column, Outer>
  | (Partial<
      OperandsOf<
        TypeOf<Shape>,
        ConstantOfType<TypeOf<Shape>> | SourceOf<Shape, Column, Outer>,
        ConstantOf<Shape> | SourceOf<Shape, Column, Outer>
      >
    > & {
      readonly $not?: ConditionOf<Shape, Column, Outer>
    })

/** Names of the columns of a table. */
export type ColumnOf<
  Schema extends SchemaShape<Schema>,
  Table extends keyof Schema,
> = keyof Schema[Table]['columns'] & string

/** Tables of the connection that a table is in. */
type NeighbourOf<Schema, Table extends keyof Schema> = Table extends `${infer Connection}.${string}`
  ? Extract<keyof Schema, `${Connection}.${string}`>
  : never

type RelationConditions<
  Schema extends SchemaShape<Schema>,
  Relations extends Readonly<Record<string, RelationShape>>,
  Column,
> = {
  readonly [Name in Exclude<
    keyof Relations,
    Column
  >]?: Relations[Name]['table'] extends infer Far extends keyof Schema
    ? Relations[Name]['many'] extends true
      ? ManyCondition<TableFilter<Schema, Far>>
      : TableFilter<Schema, Far>
    : never
}

interface ManyCondition<Filter> {
  readonly $some?: Filter
  readonly $every?: Filter
  readonly $none?: Filter
}

type ExistsOf<Schema extends SchemaShape<Schema>, Table extends keyof Schema> = {
  readonly [Far in NeighbourOf<Schema, Table>]: {
    readonly table: Far
    readonly where?: TableFilter<Schema, Far, ColumnOf<Schema, Table>>
  }
}[NeighbourOf<Schema, Table>]

/** A `Filter` on the rows of one table of a schema. `Outer`: the columns that `$outer` names. */
export type TableFilter<
  Schema extends SchemaShape<Schema>,
  Table extends keyof Schema,
  Outer extends string = never,
> = {
  readonly [Column in ColumnOf<Schema, Table>]?: ConditionOf<
    Schema[Table]['columns'][Column],
    ColumnOf<Schema, Table>,
    Outer
  >
} & RelationConditions<Schema, Schema[Table]['relations'], ColumnOf<Schema, Table>> & {
    readonly $and?: readonly TableFilter<Schema, Table, Outer>[]
    readonly $or?: readonly TableFilter<Schema, Table, Outer>[]
    readonly $nor?: readonly TableFilter<Schema, Table, Outer>[]
    readonly $not?: TableFilter<Schema, Table, Outer>
    readonly $exists?: ExistsOf<Schema, Table>
    /** A condition on the caller. */
    readonly [field: UserField]: FilterCondition
  }
