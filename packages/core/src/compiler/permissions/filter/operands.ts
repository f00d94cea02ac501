/**
 * @module The operators of filters, by the types of columns that have them, each with its operand. `Value` is the type that a
 * column is compared with. Names of operators are defined here only: `Filter` and `TableFilter` take them from these interfaces.
 */

/** A field of the caller. */
export type UserField = `$user.${string}`

/** For every type. */
export interface NullTests {
  readonly $isNull: boolean
  readonly $null: boolean
  readonly $notNull: boolean
}

/** For types with an equality. */
export interface Comparisons<Value, Field extends string = UserField> {
  readonly $eq: Value
  readonly $ne: Value
  readonly $gt: Value
  readonly $gte: Value
  readonly $lt: Value
  readonly $lte: Value
  readonly $in: readonly Value[] | Field
  readonly $nin: readonly Value[] | Field
  readonly $between: readonly [from: Value, to: Value]
}

/** A pattern is a constant or a field of the caller: one that a row stores could fail on that row. */
type PatternOf<Value> = Exclude<Value, { readonly $col: unknown } | { readonly $outer: unknown }>

/** For `bytea` and text types. */
export interface ByteTests<Value> {
  readonly $like: PatternOf<Value>
  readonly $nlike: PatternOf<Value>
}

/** For text types. */
export interface TextTests<Value> extends ByteTests<Value> {
  readonly $ilike: PatternOf<Value>
  readonly $nilike: PatternOf<Value>
  readonly $startsWith: Value
  readonly $endsWith: Value
  readonly $contains: Value
}

/** For ranges and networks. */
export interface RangeTests<Value> {
  readonly $containedBy: Value
  readonly $overlaps: Value
}

/** For arrays. */
export interface ArrayTests<Value> extends RangeTests<Value> {
  readonly $contains: Value
}

/** For JSON documents. */
export interface DocumentTests<Field extends string = UserField> {
  readonly $contains: unknown
  readonly $containedBy: unknown
  /** Texts of a list, or keys of an object. */
  readonly $overlaps: readonly string[] | Field
  readonly $hasKey: string
}

/** Every operator, whatever its type; a list of the caller is any text, since the type of a variable may be just `string`. */
export type AllOperands<Value> =
  | NullTests
  | Comparisons<Value, string>
  | TextTests<Value>
  | ArrayTests<Value>
  | DocumentTests<string>
