/** @module How a mirrored column shows its default. */
import type { VisibleColumn } from '@engine/core/session'
import { identityClause, type MirrorSequence, nextValueClause } from './mirror-sequence.ts'

/** How a column is declared beyond its type and NOT NULL. */
export type MirrorDefault =
  | { readonly kind: 'none' }
  /** Integer that counts up by a sequence of its own: `serial` and the like. */
  | { readonly kind: 'serial'; readonly typeName: 'smallint' | 'integer' | 'bigint' }
  /** `generated always as identity` */
  | { readonly kind: 'identity'; readonly sql: string }
  /** `generated always as (…) stored`, `default 'new'::text` ... */
  | { readonly kind: 'clause'; readonly sql: string }

const serialNames = { 21: 'smallint', 23: 'integer', 20: 'bigint' } as const

/** A constant as PostgreSQL, MySQL and SQLite write it, followed by its casts. */
const constant = /^\(?(?:'((?:[^']|'')*)'|(-?\d+(?:\.\d+)?)|(true|false))\)?(?:::[\w ."[\]()]+)*$/is

/** Functions of clocks and random numbers, as databases write them → as PostgreSQL calls them. */
const functions: readonly (readonly [RegExp, string])[] = [
  [/^now\(\)$/i, 'now()'],
  [/^current_timestamp(\(\d?\))?$/i, 'CURRENT_TIMESTAMP'],
  [/^localtimestamp$/i, 'LOCALTIMESTAMP'],
  [/^(current_date(\(\))?|curdate\(\))$/i, 'CURRENT_DATE'],
  [/^(gen_random_uuid\(\)|uuid_generate_v4\(\)|uuid\(\))$/i, 'gen_random_uuid()'],
]

export interface MirroredType {
  /** As the mirror declares it. */
  readonly name: string
  readonly isNumber: boolean
  /** The sequence of the column, where the mirror has it with its name and options. */
  readonly sequence?: MirrorSequence | undefined
  /** The schema of the mirror. */
  readonly schema: string
}

/**
 * Constants, clocks and counters are shown in full. For any other default the mirror shows only that it exists: its
 * expression may name things that the caller must not see, or that only the database can parse.
 */
export function mirrorDefault(
  { column }: VisibleColumn,
  { name: typeName, isNumber, sequence, schema }: MirroredType,
): MirrorDefault {
  const { hasDefault, generated, nativeDefault } = column
  if (generated === 'identity') {
    return { kind: 'identity', sql: identityClause(true, schema, sequence) }
  }
  if (generated === 'always') {
    return { kind: 'clause', sql: `generated always as (null::${typeName}) stored` }
  }
  if (!hasDefault) return { kind: 'none' }
  const serial = serialName(column.type.oid)
  if (nativeDefault === undefined) {
    return serial === undefined
      ? hiddenDefault(typeName)
      : { kind: 'identity', sql: identityClause(false, schema, sequence) }
  }
  if (sequence?.name !== undefined) {
    return { kind: 'clause', sql: nextValueClause(schema, sequence.name) }
  }
  if (serial !== undefined && /^nextval\(/i.test(nativeDefault)) {
    return { kind: 'serial', typeName: serial }
  }
  return constantDefault(nativeDefault, isNumber) ?? hiddenDefault(typeName)
}

function constantDefault(text: string, isNumber: boolean): MirrorDefault | undefined {
  const known = functions.find(([pattern]) => pattern.test(text))
  if (known !== undefined) return { kind: 'clause', sql: `default ${known[1]}` }
  const match = constant.exec(text)
  if (match === null) return undefined
  const [, quoted, number, truth] = match
  if (number !== undefined && isNumber) return { kind: 'clause', sql: `default ${number}` }
  return { kind: 'clause', sql: `default '${quoted ?? number ?? truth}'` }
}

/** PostgreSQL does not store a default that is a plain NULL. */
function hiddenDefault(typeName: string): MirrorDefault {
  return { kind: 'clause', sql: `default coalesce(null::${typeName})` }
}

function serialName(oid: number): 'smallint' | 'integer' | 'bigint' | undefined {
  return oid === 20 || oid === 21 || oid === 23 ? serialNames[oid] : undefined
}
