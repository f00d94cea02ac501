import type { FieldDescription } from '../../protocol/message-writer.ts'
import type { SleepColumn } from '../statements/client-statement.ts'
import { voidField } from './signal-fields.ts'

/** The columns of the calls of `pg_sleep` are of type `void`, the others as the catalog computes them. */
export function sleepFields(
  fields: readonly FieldDescription[],
  sleeps: readonly SleepColumn[],
): readonly FieldDescription[] {
  const slept = new Set(sleeps.map(({ index }) => index))
  return fields.map((field, i) => (slept.has(i) ? voidField(field.name) : field))
}
