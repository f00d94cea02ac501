/** @module Types as a configuration names them. */
import type { ColumnKind, ColumnType } from './column-type.ts'

const kinds: ReadonlyMap<string, ColumnKind> = new Map<string, ColumnKind>([
  ['boolean', 'boolean'],
  ['bool', 'boolean'],
  ['integer', 'integer'],
  ['int', 'integer'],
  ['int4', 'integer'],
  ['smallint', 'integer'],
  ['bigint', 'bigint'],
  ['int8', 'bigint'],
  ['decimal', 'decimal'],
  ['numeric', 'decimal'],
  ['double precision', 'float'],
  ['double', 'float'],
  ['float', 'float'],
  ['float8', 'float'],
  ['real', 'float'],
  ['date', 'date'],
  ['time', 'time'],
  ['timestamp', 'timestamp'],
  ['timestamptz', 'timestamptz'],
  ['uuid', 'uuid'],
  ['json', 'json'],
  ['jsonb', 'json'],
  ['text', 'text'],
  ['varchar', 'text'],
])

const mostDigits = 1_000

/** `numeric(10,2)` and the like; undefined for any other name. */
export function namedType(name: string): ColumnType | undefined {
  const parts = /^([a-z0-9 ]+?)\s*(?:\(\s*(\d{1,4})\s*(?:,\s*(\d{1,4})\s*)?\))?$/.exec(
    name.trim().toLowerCase(),
  )
  const kind = kinds.get(parts?.[1] ?? '')
  if (kind === undefined || parts === null) return undefined
  if (parts[2] === undefined) return { kind, digits: undefined }
  const precision = Number(parts[2])
  const scale = Number(parts[3] ?? '0')
  const isPossible = precision > 0 && precision <= mostDigits && scale <= precision
  return kind === 'decimal' && isPossible ? { kind, digits: { precision, scale } } : undefined
}
