/**
 * @module Operands of filters as TypeScript's types: by the form that `filterOperatorTable` has for an operator on a type of columns.
 */
import type {
  FilterOperandForm,
  FilterOperatorName,
  FilterTypeClass,
  filterOperatorTable,
} from '@engine/contract'

/** A field of the caller. */
export type UserField = `$user.${string}`

type Table = typeof filterOperatorTable

/** A pattern is a constant or a field of the caller: one that a row stores could fail on that row. */
type PatternOf<Value> = Exclude<Value, { readonly $col: unknown } | { readonly $outer: unknown }>

/** By form: what is written. `Value` is the type that a column is compared with, `Field` a list of the caller. */
interface OperandTypes<Value, Field> {
  readonly value: Value
  readonly pattern: PatternOf<Value>
  readonly list: readonly Value[] | Field
  readonly range: readonly [from: Value, to: Value]
  readonly flag: boolean
  readonly document: unknown
  /** Texts of a list, or keys of an object. */
  readonly texts: readonly string[] | Field
  readonly text: string
}

/** The operators whose operand is written, and is no condition of its own. */
type WithOperand = {
  [Name in FilterOperatorName]: 'condition' extends FormOf<Name> ? never : Name
}[FilterOperatorName]

/** The form of an operand, for a class of types or for all classes that have the operator. */
type FormOf<
  Name extends FilterOperatorName,
  Class extends FilterTypeClass = FilterTypeClass,
> = Table[Name]['operands'] extends infer Operands
  ? Extract<Operands[Extract<keyof Operands, Class>], FilterOperandForm>
  : never

/** The operators that columns of a class of types have, each with its operand. */
export type OperandsOfClass<Class extends FilterTypeClass, Value> = {
  readonly [Name in WithOperand as Class extends keyof Table[Name]['operands']
    ? Name
    : never]: OperandTypes<Value, UserField>[Exclude<FormOf<Name, Class>, 'condition'>]
}

/** Every operator with the operands of all types; a list of the caller is any text, since the type of a variable may be just `string`. */
export type AllOperands<Value> = {
  readonly [Name in WithOperand]: OperandTypes<Value, string>[Exclude<FormOf<Name>, 'condition'>]
}
