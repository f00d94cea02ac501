/** @module The types that generated expressions have. */

/** An expression's type. Lengths and precisions are ignored: `varchar(5)` is `text` here. */
export type TypeName =
  | 'bool'
  | 'int2'
  | 'int4'
  | 'int8'
  | 'float8'
  | 'numeric'
  | 'text'
  | 'uuid'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'interval'
  | 'bytea'
  | 'json'
  | 'jsonb'
  | 'int4[]'
  | 'text[]'
  /** An enum of PostgreSQL; only where a column has it. */
  | 'mood'

/** Types of outputs, weighted by how often they are wanted. */
export const typeWeights: readonly (readonly [number, TypeName])[] = [
  [14, 'int4'],
  [12, 'text'],
  [8, 'bool'],
  [7, 'numeric'],
  [5, 'int8'],
  [3, 'float8'],
  [3, 'date'],
  [3, 'timestamp'],
  [2, 'int2'],
  [2, 'uuid'],
  [2, 'timestamptz'],
  [2, 'jsonb'],
  [1, 'json'],
  [1, 'time'],
  [1, 'interval'],
  [1, 'bytea'],
  [1, 'int4[]'],
  [1, 'text[]'],
]

/** Types with `=` and `<`. */
export const comparableTypes: readonly TypeName[] = [
  'int4',
  'text',
  'int8',
  'numeric',
  'bool',
  'float8',
  'date',
  'timestamp',
  'int2',
  'uuid',
  'timestamptz',
  'jsonb',
  'time',
  'interval',
  'bytea',
  'int4[]',
  'text[]',
]

/**
 * Comparable types whose equal values have the same text after `keyed`: the result of DISTINCT, GROUP BY and LIMIT does
 * not depend on the order in which rows are read.
 */
export const keyTypes: readonly TypeName[] = comparableTypes.filter((type) => type !== 'jsonb')

export function isKeyType(type: TypeName): boolean {
  return keyTypes.includes(type) || type === 'mood'
}

export function isComparable(type: TypeName): boolean {
  return comparableTypes.includes(type) || type === 'mood'
}

/** Types that compare with each other, each with its own `=`. */
export const numberTypes: readonly TypeName[] = ['int2', 'int4', 'int8', 'numeric', 'float8']
