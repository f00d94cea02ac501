/**
 * @module The operators of row filters: the types of columns that have each, the form of its operand, and its words. The engine's
 * conditions, the types of filters, the permission editor and the fuzzers are derived from this table.
 */

/** The form of an operand in the configuration. Fields of the caller and other sources of a value are described at `Filter`. */
export type FilterOperandForm =
  /** One value of the column's type. */
  | 'value'
  /** A text with wildcards: a constant or a field of the caller. */
  | 'pattern'
  /** A list of values, or a field of the caller that has one. */
  | 'list'
  /** Two values: from, to. */
  | 'range'
  /** `true`, or `false` for the opposite. */
  | 'flag'
  /** Any JSON value. */
  | 'document'
  /** A list of texts, or a field of the caller that has one. */
  | 'texts'
  /** One text. */
  | 'text'
  /** Another condition on the same column. */
  | 'condition'

/**
 * What an operator needs of the type of a column.
 * - `any`: nothing
 * - `equality`, `order`: that its values can be compared; `typesWithoutEquality` have neither
 * - `array`: a type whose name ends with `[]`
 * - the others: a type that `filterTypes` lists
 */
export type FilterTypeClass =
  | 'any'
  | 'equality'
  | 'order'
  | 'array'
  | 'text'
  | 'bytes'
  | 'extent'
  | 'network'
  | 'document'

/** Types by class, with their names in `GET /schema`, without modifiers. */
export const filterTypes = {
  text: ['text', 'character varying', 'character', 'bpchar', 'name'],
  bytes: ['bytea'],
  /** Ranges, areas, and queries of text search: one may contain another. */
  extent: [
    'int4range',
    'int8range',
    'numrange',
    'tsrange',
    'tstzrange',
    'daterange',
    'int4multirange',
    'int8multirange',
    'nummultirange',
    'tsmultirange',
    'tstzmultirange',
    'datemultirange',
    'tsquery',
    'box',
    'circle',
    'polygon',
  ],
  network: ['inet', 'cidr'],
  document: ['jsonb'],
} as const

/** PostgreSQL has no equality for these. */
export const typesWithoutEquality = ['json', 'xml', 'polygon', 'jsonpath', 'refcursor'] as const

/** An operator of row filters. */
export interface FilterOperatorDescription {
  /** In a sentence: `total is at least 100`. */
  readonly words: string
  /** The form of the operand, by what the operator needs of the type. A column has the operator where one of the keys fits. */
  readonly operands: Readonly<Partial<Record<FilterTypeClass, FilterOperandForm>>>
  /** A second name of another operator: read, but not offered. */
  readonly isAlias?: true
}

/** Every operator, in the order of the documentation. */
export const filterOperatorTable = {
  $eq: { words: 'is', operands: { equality: 'value' } },
  $ne: { words: 'is not', operands: { equality: 'value' } },
  $gt: { words: 'is more than', operands: { order: 'value' } },
  $gte: { words: 'is at least', operands: { order: 'value' } },
  $lt: { words: 'is less than', operands: { order: 'value' } },
  $lte: { words: 'is at most', operands: { order: 'value' } },
  $like: { words: 'is like', operands: { text: 'pattern', bytes: 'pattern' } },
  $nlike: { words: 'is not like', operands: { text: 'pattern', bytes: 'pattern' } },
  $ilike: { words: 'is like (any case)', operands: { text: 'pattern' } },
  $nilike: { words: 'is not like (any case)', operands: { text: 'pattern' } },
  $in: { words: 'is one of', operands: { equality: 'list' } },
  $nin: { words: 'is none of', operands: { equality: 'list' } },
  $between: { words: 'is between', operands: { order: 'range' } },
  $isNull: { words: 'is NULL', operands: { any: 'flag' } },
  $null: { words: 'is NULL', operands: { any: 'flag' }, isAlias: true },
  $notNull: { words: 'is not NULL', operands: { any: 'flag' } },
  $startsWith: { words: 'starts with', operands: { text: 'value' } },
  $endsWith: { words: 'ends with', operands: { text: 'value' } },
  $contains: {
    words: 'contains',
    operands: { text: 'value', array: 'value', document: 'document' },
  },
  $containedBy: {
    words: 'is contained by',
    operands: { array: 'value', extent: 'value', document: 'document' },
  },
  $overlaps: {
    words: 'overlaps',
    operands: { array: 'value', extent: 'value', network: 'value', document: 'texts' },
  },
  $hasKey: { words: 'has the key', operands: { document: 'text' } },
  $not: { words: 'is not so', operands: { any: 'condition' } },
} as const

type Table = typeof filterOperatorTable

/** Refuses a table with a wrong entry: `as const` alone checks nothing, and declarations cannot have `satisfies`. */
type Checked<
  Entries extends Readonly<Record<`$${string}`, FilterOperatorDescription>>,
  _Classes extends FilterTypeClass,
> = Entries

/** `$gt`, `$in` ... */
export type FilterOperatorName = keyof Checked<
  Table,
  { [Name in keyof Table]: keyof Table[Name]['operands'] }[keyof Table] | keyof typeof filterTypes
>

/** Names of all operators. */
export const filterOperatorNames: readonly FilterOperatorName[] = Object.keys(
  filterOperatorTable,
) as FilterOperatorName[]
