/**
 * @module Every type of a column that Engine can write, with values that it keeps, values that it rounds as PostgreSQL does, and values
 * that it refuses. The tests run each on every path of `write-paths.ts` and `read-paths.ts`.
 */
import type { StoredType } from './stored-type.ts'
import { byteTypes } from './types-bytes.ts'
import { documentTypes } from './types-documents.ts'
import { numberTypes } from './types-numbers.ts'
import { textTypes } from './types-texts.ts'
import { timeTypes } from './types-times.ts'

/** All types, whatever databases have them. */
export const storedTypes: readonly StoredType[] = [
  ...numberTypes,
  ...timeTypes,
  ...documentTypes,
  ...textTypes,
  ...byteTypes,
]
