import { encodeTypmod, oids, type SqlType } from '@engine/core/catalog'
import { noTypmod } from '@engine/core/values'
import type { ColumnKind, ColumnType } from '../types/column-type.ts'

const oidsByKind: Readonly<Record<ColumnKind, number>> = {
  boolean: oids.bool,
  integer: oids.int4,
  bigint: oids.int8,
  decimal: oids.numeric,
  float: oids.float8,
  date: oids.date,
  time: oids.time,
  timestamp: oids.timestamp,
  timestamptz: oids.timestamptz,
  uuid: oids.uuid,
  json: oids.jsonb,
  text: oids.text,
}

/** The PostgreSQL type of a column, as the SQLite adapter understands its declaration. */
export function sqlTypeOf({ kind, digits }: ColumnType): SqlType {
  const oid = oidsByKind[kind]
  if (digits === undefined) return { oid, typmod: noTypmod }
  const encoded = encodeTypmod(oid, [digits.precision, digits.scale], 'numeric')
  return { oid, typmod: encoded.ok ? encoded.typmod : noTypmod }
}
