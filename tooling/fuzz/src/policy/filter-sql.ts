/**
 * @module The meaning of a filter in PostgreSQL's SQL, written only from the documentation of permissions, without the
 * engine's code. A field that the caller lacks is a NULL of type boolean: three-valued logic gives the right result.
 */
import type { FilterOperatorName } from '@engine/contract'
import type { CallerFields } from '@engine/core'
import { quoted } from '../grammar/literals.ts'
import type { TypeName } from '../grammar/types.ts'
import { tableNamed, type World, type WorldColumn, type WorldTable } from '../world/world.ts'
import { truthsOf } from './filter-truths.ts'
import { toManyName, toOneName } from './random-filter.ts'

/** The position of a filter. */
export interface FilterPlace {
  readonly world: Pick<World, 'tables'>
  readonly table: WorldTable
  /** The name of the tested row. */
  readonly row: string
  /** Inside `$exists`: the outer row. */
  readonly outer: string | undefined
  readonly fields: CallerFields
  /** The name of a base table. */
  readonly relation: (table: string) => string
}

/** `bpchar` ignores trailing blanks. */
type ComparedType = TypeName | 'bpchar'

const unknown = 'null::bool'

/** A condition on `place.row`. */
export function filterSql(filter: unknown, place: FilterPlace): string {
  if (filter === undefined) return 'true'
  const parts = Object.entries(objectOf(filter)).map(([key, value]) => entrySql(key, value, place))
  return parts.length === 0 ? 'true' : `(${parts.join(' and ')})`
}

function entrySql(key: string, value: unknown, place: FilterPlace): string {
  switch (key) {
    case '$and':
      return joined(listOf(value), ' and ', 'true', place)
    case '$or':
      return joined(listOf(value), ' or ', 'false', place)
    case '$nor':
      return `(not ${joined(listOf(value), ' or ', 'false', place)})`
    case '$not':
      return `(not ${filterSql(value, place)})`
    case '$exists':
      return existsSql(objectOf(value), place)
    default:
  }
  if (key.startsWith('$user.')) return callerSql(key, value, place)
  const column = place.table.columns.find(({ name }) => name === key)
  if (column !== undefined) return columnSql(column, value, place)
  return relationSql(key, objectOf(value), place)
}

function joined(
  filters: readonly unknown[],
  operator: string,
  empty: string,
  place: FilterPlace,
): string {
  if (filters.length === 0) return empty
  return `(${filters.map((filter) => filterSql(filter, place)).join(operator)})`
}

function columnSql(column: WorldColumn, value: unknown, place: FilterPlace): string {
  const type = column.stored === 'char(4)' ? 'bpchar' : column.type
  return testSql(`${place.row}.${column.name}`, type, value, place)
}

const comparisons = {
  $eq: '=',
  $ne: '<>',
  $gt: '>',
  $gte: '>=',
  $lt: '<',
  $lte: '<=',
  $like: 'like',
  $nlike: 'not like',
  $ilike: 'ilike',
  $nilike: 'not ilike',
  $containedBy: '<@',
} as const satisfies Partial<Record<FilterOperatorName, string>>

/** `left` compared with a value, or tested by operators. */
function testSql(left: string, type: ComparedType, value: unknown, place: FilterPlace): string {
  if (!isObject(value) || ['$col', '$now', '$literal', '$outer'].some((key) => key in value)) {
    return compared(left, '=', type, value, place)
  }
  const parts = Object.entries(value).map(([key, operand]) =>
    operatorSql(key as FilterOperatorName, left, type, operand, place),
  )
  return `(${parts.join(' and ')})`
}

/** Every operator has its meaning here: an operator without one does not compile. */
function operatorSql(
  key: FilterOperatorName,
  left: string,
  type: ComparedType,
  operand: unknown,
  place: FilterPlace,
): string {
  if (isComparison(key)) return compared(left, comparisons[key], type, operand, place)
  const one = (value: unknown, operatorText = '=') =>
    compared(left, operatorText, type, value, place)
  switch (key) {
    case '$in':
      return membership(left, type, operand, place)
    case '$nin':
      return `(not ${membership(left, type, operand, place)})`
    case '$between': {
      const [from, to] = listOf(operand)
      return `(${one(from, '>=')} and ${one(to, '<=')})`
    }
    case '$isNull':
    case '$null':
      return `(${left} is ${operand === true ? '' : 'not '}null)`
    case '$notNull':
      return `(${left} is ${operand === true ? 'not ' : ''}null)`
    case '$startsWith':
      return `(left(${left}, length(${quoted(String(operand))})) = ${quoted(String(operand))})`
    case '$endsWith':
      return `(right(${left}, length(${quoted(String(operand))})) = ${quoted(String(operand))})`
    case '$contains':
      return type === 'text'
        ? `(position(${quoted(String(operand))} in ${left}) > 0)`
        : one(operand, '@>')
    case '$overlaps':
      return type === 'jsonb'
        ? `(${left} ?| ${constant('text[]', listOf(operand))})`
        : one(operand, '&&')
    case '$hasKey':
      return `(${left} ? ${quoted(String(operand))})`
    case '$not':
      return `(not ${testSql(left, type, operand, place)})`
    default:
      throw new Error(`no meaning is known of ${key satisfies never}`)
  }
}

function isComparison(key: string): key is keyof typeof comparisons {
  return Object.hasOwn(comparisons, key)
}

function compared(
  left: string,
  operator: string,
  type: ComparedType,
  value: unknown,
  place: FilterPlace,
): string {
  const right = valueSql(type, value, place)
  return right === undefined ? unknown : `(${left} ${operator} ${right})`
}

/** Undefined: the caller lacks it. */
function valueSql(type: ComparedType, value: unknown, place: FilterPlace): string | undefined {
  if (typeof value === 'string' && value.startsWith('$user.')) {
    const field = fieldOf(value, place)
    return field === undefined ? undefined : constant(type, field)
  }
  if (isObject(value) && type !== 'jsonb') {
    if ('$col' in value) return `${place.row}.${String(value['$col'])}`
    if ('$outer' in value) return `${place.outer ?? ''}.${String(value['$outer'])}`
    if ('$literal' in value) return constant(type, value['$literal'])
    if ('$now' in value)
      return `(${momentSql} + interval ${quoted(durations[String(value['$now'])] ?? '0')})::${type}`
  }
  return constant(type, value)
}

/** The engine's clock is constant in a run; see `engine-subject.ts`. */
const momentSql = "timestamptz '2024-06-15 12:00:00+00'"

const durations: Readonly<Record<string, string>> = {
  '-30d': '-30 days',
  '+1h': '1 hour',
  '0s': '0',
}

function constant(type: ComparedType, value: unknown): string {
  if (type === 'jsonb') return `${quoted(JSON.stringify(value))}::jsonb`
  if (Array.isArray(value))
    return `array[${value.map((item) => quoted(String(item))).join(', ')}]::${type}`
  return `${quoted(String(value))}::${type}`
}

function fieldOf(reference: string, { fields }: FilterPlace): unknown {
  return fields[reference.slice('$user.'.length)] ?? undefined
}

function membership(
  left: string,
  type: ComparedType,
  operand: unknown,
  place: FilterPlace,
): string {
  if (typeof operand === 'string') {
    const field = fieldOf(operand, place)
    if (!Array.isArray(field)) return unknown
    return `(${left} = any(array[${field.map((item) => quoted(String(item))).join(', ')}]::${type}[]))`
  }
  const items = listOf(operand)
  if (items.length === 0) return 'false'
  return `(${items.map((item) => compared(left, '=', type, item, place)).join(' or ')})`
}

/** A condition on the caller: a known value, or unknown. */
function callerSql(key: string, value: unknown, place: FilterPlace): string {
  const field = fieldOf(key, place)
  if (field === undefined) return unknown
  const type: ComparedType =
    typeof field === 'number' ? 'numeric' : typeof field === 'boolean' ? 'bool' : 'text'
  return testSql(constant(type, field), type, value, place)
}

function existsSql(value: Readonly<Record<string, unknown>>, place: FilterPlace): string {
  const far = tableNamed(place.world, String(value['table']).slice('main.'.length))
  const row = `${place.row}e`
  const rows = `from ${place.relation(far.name)} ${row}`
  const inside = { ...place, table: far, row, outer: place.row }
  return quantified('$some', rows, 'true', value['where'], inside)
}

function relationSql(
  name: string,
  value: Readonly<Record<string, unknown>>,
  place: FilterPlace,
): string {
  const { world, table, relation } = place
  const row = `${place.row}r`
  const inside = (far: WorldTable) => ({ ...place, table: far, row, outer: undefined })
  const own = table.foreignKeys.find((key) => toOneName(key.column) === name)
  if (own !== undefined) {
    const far = tableNamed(world, own.table)
    const join = `${place.row}.${own.column} = ${row}.id`
    return quantified('$some', `from ${relation(far.name)} ${row}`, join, value, inside(far))
  }
  for (const far of world.tables) {
    const key = far.foreignKeys.find(
      (each) => each.table === table.name && toManyName(far.name, each.column) === name,
    )
    if (key === undefined) continue
    const join = `${place.row}.id = ${row}.${key.column}`
    const parts = Object.entries(value).map(([quantifier, filter]) =>
      quantified(quantifier, `from ${relation(far.name)} ${row}`, join, filter, inside(far)),
    )
    return `(${parts.join(' and ')})`
  }
  throw new Error(`${table.name} has no relation ${name}`)
}

/**
 * Whether some, every or no related row makes a condition TRUE. Where the caller lacks a field, a result that follows
 * only from the absence of a row is UNKNOWN; so is a condition that no row can satisfy without the field.
 */
function quantified(
  quantifier: string,
  rows: string,
  join: string,
  filter: unknown,
  inside: FilterPlace,
): string {
  const condition = filterSql(filter, inside)
  const exists = (test: string) => `exists (select 1 ${rows} where ${join} and ${test})`
  const isLacking = condition.includes(unknown)
  if (quantifier === '$every') {
    const truths = truthsOf(filter, inside.fields)
    if (!truths.has(true) && truths.has(null)) return unknown
    if (!isLacking) return `(not ${exists(`${condition} is not true`)})`
    return `(case when ${exists(`${condition} is false`)} then false when ${exists(`${condition} is null`)} then null else true end)`
  }
  const some = isLacking
    ? `(case when ${exists(condition)} then true end)`
    : `(${exists(condition)})`
  return quantifier === '$none' ? `(not ${some})` : some
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(value)) throw new TypeError(`not an object: ${JSON.stringify(value)}`)
  return value
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new TypeError(`not a list: ${JSON.stringify(value)}`)
  return value
}
