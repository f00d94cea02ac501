/**
 * @module The form of PostgreSQL's types in SQLite: their values and the comparison of these.
 *
 * - `bool`: 0 and 1; `int2`, `int4`, `int8`: INTEGER; `float4`, `float8`: REAL; `bytea`: BLOB
 * - `numeric`: text of digits with the display scale
 * - `text`: varchar, name and enums too; `bpchar`: padded with blanks; `uuid`: lower case
 * - `date`, `time`, `timestamp`, `timestamptz`, `interval`: PostgreSQL's canonical text
 * - `json`, `jsonb`: JSON text
 * - `array`: JSON text of an array
 * - `record`: JSON text of an object
 * - `other`: types that SQLite cannot store
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

/** Equal values are identical in SQLite, too, and its order is PostgreSQL's. A numeric is text with its scale. */
export function comparesNatively(typeClass: TypeClass): boolean {
  return typeClass !== 'numeric' && hasOneForm(typeClass)
}
