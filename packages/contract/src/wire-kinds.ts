/** @module The forms of values in JSON, by the type of a column. */

/**
 * The JSON form of a scalar.
 * - `boolean`: true, false
 * - `integer`: a number
 * - `bigint`: a string of digits
 * - `float`: a number; NaN and the infinities as strings
 * - `decimal`: a string that keeps its scale
 * - `bytes`: a string, `\x` and hexadecimal digits
 * - `json`: the JSON value itself, digits of big numbers kept
 * - `text`: a string in PostgreSQL's own spelling: text, uuid, dates, intervals, enums ...
 */
export type ScalarWireKind =
  | 'boolean'
  | 'integer'
  | 'bigint'
  | 'float'
  | 'decimal'
  | 'bytes'
  | 'json'
  | 'text'

/** By the name of a type in `GET /schema`, without modifiers: the form of its values. All other types have the form `text`. */
export const wireKinds: Readonly<Record<string, ScalarWireKind>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  oid: 'integer',
  bigint: 'bigint',
  real: 'float',
  'double precision': 'float',
  numeric: 'decimal',
  bytea: 'bytes',
  json: 'json',
  jsonb: 'json',
}
