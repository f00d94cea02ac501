/** @module The SQL spelling of a type, as PostgreSQL's `format_type` gives it. */
import { type Oid, oids } from './oids.ts'
import type { TypeTable } from './type-table.ts'
import { intervalFieldsOfTypmod, lengthOfTypmod, noTypmod, numericOfTypmod } from './typmod.ts'

/**
 * `character varying(20)`, `timestamp(3) with time zone`, `numeric(10,2)[]`. A typmod of -1 means no limit (`bpchar`); without a
 * typmod the limit is open (`character`).
 */
export function formatType(types: TypeTable, oid: Oid, typmod?: number): string {
  const type = types.typeByOid(oid)
  if (type === undefined) return oid === 0 ? '-' : '???'
  if (type.elementOid !== undefined && type.category === 'A' && !vectors.has(oid)) {
    return `${formatType(types, type.elementOid, typmod)}[]`
  }
  const spelling = spellings.get(oid)
  if (spelling === undefined) return quotedIfNeeded(type.name)
  return typmod === noTypmod
    ? (unlimited.get(oid) ?? spelling(noTypmod))
    : spelling(typmod ?? noTypmod)
}

const vectors: ReadonlySet<Oid> = new Set([oids.int2vector, oids.oidvector])

/** `character` and `bit` alone mean a length of 1, so without a limit they need other names. */
const unlimited: ReadonlyMap<Oid, string> = new Map<Oid, string>([
  [oids.bpchar, 'bpchar'],
  [oids.bit, '"bit"'],
])

const plain = (text: string) => () => text

const spellings: ReadonlyMap<Oid, (typmod: number) => string> = new Map<
  Oid,
  (typmod: number) => string
>([
  [oids.bool, plain('boolean')],
  [oids.int2, plain('smallint')],
  [oids.int4, plain('integer')],
  [oids.int8, plain('bigint')],
  [oids.float4, plain('real')],
  [oids.float8, plain('double precision')],
  [oids.char, plain('"char"')],
  [oids.any, plain('"any"')],
  [oids.numeric, numericText],
  [oids.bpchar, (typmod) => withLength('character', oids.bpchar, typmod)],
  [oids.varchar, (typmod) => withLength('character varying', oids.varchar, typmod)],
  [oids.bit, (typmod) => withLength('bit', oids.bit, typmod)],
  [oids.varbit, (typmod) => withLength('bit varying', oids.varbit, typmod)],
  [oids.time, (typmod) => `time${digits(typmod)} without time zone`],
  [oids.timetz, (typmod) => `time${digits(typmod)} with time zone`],
  [oids.timestamp, (typmod) => `timestamp${digits(typmod)} without time zone`],
  [oids.timestamptz, (typmod) => `timestamp${digits(typmod)} with time zone`],
  [oids.interval, intervalText],
])

function withLength(name: string, oid: Oid, typmod: number): string {
  const length = lengthOfTypmod(oid, typmod)
  return length === undefined ? name : `${name}(${length})`
}

function digits(typmod: number): string {
  return typmod < 0 ? '' : `(${typmod})`
}

function numericText(typmod: number): string {
  const limits = numericOfTypmod(typmod)
  return limits === undefined ? 'numeric' : `numeric(${limits.precision},${limits.scale})`
}

/** Bit masks of the fields that an interval may be restricted to. */
const intervalFieldNames: ReadonlyMap<number, string> = new Map([
  [1 << 2, 'year'],
  [1 << 1, 'month'],
  [1 << 3, 'day'],
  [1 << 10, 'hour'],
  [1 << 11, 'minute'],
  [1 << 12, 'second'],
  [(1 << 2) | (1 << 1), 'year to month'],
  [(1 << 3) | (1 << 10), 'day to hour'],
  [(1 << 3) | (1 << 10) | (1 << 11), 'day to minute'],
  [(1 << 3) | (1 << 10) | (1 << 11) | (1 << 12), 'day to second'],
  [(1 << 10) | (1 << 11), 'hour to minute'],
  [(1 << 10) | (1 << 11) | (1 << 12), 'hour to second'],
  [(1 << 11) | (1 << 12), 'minute to second'],
])

function intervalText(typmod: number): string {
  if (typmod < 0) return 'interval'
  const fields = intervalFieldsOfTypmod(typmod)
  const name = fields === undefined ? undefined : intervalFieldNames.get(fields)
  const precision = typmod & 0xffff
  return `interval${name === undefined ? '' : ` ${name}`}${precision === 0xffff ? '' : `(${precision})`}`
}

/** Keywords that are names of types need quotes; so does any name that is not in lower case. */
function quotedIfNeeded(name: string): string {
  return /^[a-z_][a-z0-9_$]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`
}
