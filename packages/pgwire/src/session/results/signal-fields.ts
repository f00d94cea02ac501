import { oids } from '@engine/core/values'
import type { FieldDescription } from '../../protocol/message-writer.ts'

/** The result of a function that sends a signal to a session: one Boolean column. */
export function signalFields(name: string): readonly FieldDescription[] {
  return [{ name, tableOid: 0, columnNumber: 0, typeOid: oids.bool, typmod: -1, format: 0 }]
}

/** The result of `pg_notify`: one column of type `void`. */
export function notifyFields(name: string): readonly FieldDescription[] {
  return [voidField(name)]
}

export function voidField(name: string): FieldDescription {
  return { name, tableOid: 0, columnNumber: 0, typeOid: oids.void, typmod: -1, format: 0 }
}
