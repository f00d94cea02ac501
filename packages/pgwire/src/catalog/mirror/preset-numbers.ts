/**
 * @module SQL that sets the OIDs of the next objects. An embedded PostgreSQL runs as the server of `pg_upgrade` does (`-b`), where
 * each new relation, type and index has to be given its number.
 */

/** What the next statement creates. */
export interface NextNumbers {
  /** A table, view, sequence or composite type. */
  readonly relation?: number
  /** Has the relation rows of its own to store? */
  readonly isStored?: boolean
  readonly type?: number
  readonly array?: number
  readonly multirange?: number
  readonly multirangeArray?: number
  readonly index?: number
}

/** `select pg_catalog.binary_upgrade_set_next_pg_type_oid(16400); ` */
export function presetNumbers({
  relation,
  isStored = true,
  type,
  array,
  multirange,
  multirangeArray,
  index,
}: NextNumbers): string {
  const calls = [
    ...call('heap_pg_class_oid', relation),
    ...(isStored ? call('heap_relfilenode', fileOf(relation)) : []),
    ...call('pg_type_oid', type),
    ...call('array_pg_type_oid', array),
    ...call('multirange_pg_type_oid', multirange),
    ...call('multirange_array_pg_type_oid', multirangeArray),
    ...call('index_pg_class_oid', index),
    ...call('index_relfilenode', fileOf(index)),
  ]
  return `select ${calls.join(', ')}; `
}

function call(name: string, number: number | undefined): readonly string[] {
  return number === undefined
    ? []
    : [`pg_catalog.binary_upgrade_set_next_${name}(${number}::pg_catalog.oid)`]
}

/** Files of the data directory have small numbers. */
function fileOf(number: number | undefined): number | undefined {
  return number === undefined ? undefined : (number ^ 0x8000_0000) >>> 0
}
