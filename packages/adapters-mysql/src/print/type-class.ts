/**
 * @module The form of PostgreSQL's types in MySQL and MariaDB: the *working form* of all printed expressions.
 *
 * - `bool`: 0 and 1; `int2`, `int4`, `int8`: signed BIGINT; `float8`: DOUBLE; `float4`: FLOAT
 * - `numeric`: DECIMAL of at most 65 digits, 38 of them after the point; see `print-decimal.ts` for the scale that PostgreSQL
 *   would show
 * - `text`: utf8mb4 text that compares by code point (varchar, name and enums too); `bpchar`: the same, padded with blanks
 * - `uuid`: text in lower case
 * - `bytea`: VARBINARY
 * - `date`: DATE; `time`: TIME(6); `timestamp`: DATETIME(6); `timestamptz`: DATETIME(6) in UTC; years 1 to 9999 only
 * - `interval`: no single value; see `interval.ts`
 * - `json`: JSON text as it was written; `jsonb`: any JSON text with the same meaning
 * - `array`: JSON text of an array: numbers, true and false for integers, floats and booleans, hexadecimal strings for bytes,
 *   PostgreSQL's text as a string for everything else
 * - `record`: JSON text of an object
 * - `other`: types that the server cannot store
 */
import type { TypeClass } from '@engine/core/print'
import { hasOneForm } from '@engine/core/print'

export {
  classOf,
  isFloat,
  isInteger,
  lengthOfType,
  scaleOfType,
  type TypeClass,
} from '@engine/core/print'

/** Equal values are identical for the server, too, and its order is PostgreSQL's. A numeric is a DECIMAL. */
export function comparesNatively(typeClass: TypeClass): boolean {
  return hasOneForm(typeClass)
}
