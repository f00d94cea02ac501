/** @module Filters of permissions, with every operator. */
import type { FilterOperandForm } from '@engine/contract'
import type { Filter } from '@engine/core'
import type { JsonValue } from '@engine/corpus'
import { sampleText } from '../grammar/literals.ts'
import { isComparable, type TypeName } from '../grammar/types.ts'
import type { Random } from '../random.ts'
import { rowsOf, type World, type WorldColumn, type WorldTable } from '../world/world.ts'
import { callerFields, callerLists } from './caller.ts'
import { type OperatorGroup, operatorGroups } from './column-operators.ts'

export interface FilterOptions {
  readonly depth: number
  /** Filters may read other tables. */
  readonly mayRelate: boolean
  /** `$exists` over the same table. */
  readonly mayReadItself?: boolean
  /** Columns that no condition names. */
  readonly ungranted?: readonly string[]
  /** Conditions on fields that a caller may lack. */
  readonly mayLack: boolean
  /** Inside `$exists`: the outer table. */
  readonly outer: WorldTable | undefined
}

/** A filter on the rows of `table`. */
export function randomFilter(
  random: Random,
  world: World,
  table: WorldTable,
  options: FilterOptions,
): Filter {
  const { depth, mayRelate, mayLack } = options
  const inner = (): Filter => randomFilter(random, world, table, { ...options, depth: depth - 1 })
  const others = () => random.some([1, 2, 3], 1).map(inner)
  return random.weighted<() => Filter>([
    [50, () => columnFilter(random, world, table, options)],
    [depth > 0 ? 8 : 0, () => ({ ...columnFilter(random, world, table, options), ...inner() })],
    [depth > 0 ? 7 : 0, () => ({ $and: others() })],
    [depth > 0 ? 12 : 0, () => ({ $or: others() })],
    [depth > 0 ? 3 : 0, () => ({ $nor: others() })],
    [depth > 0 ? 5 : 0, () => ({ $not: inner() })],
    [mayLack ? 5 : 0, () => callerFilter(random)],
    [mayRelate ? 8 : 0, () => toOne(random, world, table, options)],
    [mayRelate ? 8 : 0, () => toMany(random, world, table, options)],
    [mayRelate ? 5 : 0, () => existsFilter(random, world, table, options)],
    [
      options.mayReadItself === true ? 12 : 0,
      () => existsFilter(random, { ...world, tables: [table] }, table, options),
    ],
    [2, () => ({})],
  ])()
}

function columnFilter(
  random: Random,
  world: World,
  table: WorldTable,
  options: FilterOptions,
): Filter {
  const { ungranted = [] } = options
  const column = random.pick(table.columns.filter(({ name }) => !ungranted.includes(name)))
  const named = { [column.name]: condition(random, world, table, column, options) }
  // The compiler does not know that a column's name is not an operator.
  return named as Filter
}

function condition(
  random: Random,
  world: World,
  table: WorldTable,
  column: WorldColumn,
  options: FilterOptions,
): JsonValue {
  const value = () => operand(random, world, table, column, options)
  const isPlain = isComparable(column.type) && column.type !== 'jsonb' && !isArray(column)
  const operators = operatorGroups(column).map(
    (group) =>
      [
        formWeights[group.form],
        () => ({
          [random.pick(group.names)]: operandOf(group, random, world, table, column, options),
        }),
      ] as const,
  )
  return random.weighted<() => JsonValue>([
    [isPlain ? 18 : 0, value],
    ...operators,
    [isPlain ? 3 : 0, () => ({ $gte: value(), $ne: value() })],
  ])()
}

/** How often a condition has an operand of a form. */
const formWeights: Readonly<Record<FilterOperandForm, number>> = {
  value: 10,
  pattern: 6,
  list: 12,
  range: 5,
  flag: 6,
  document: 8,
  texts: 4,
  text: 4,
  condition: 4,
}

/** The operand of one of a group of operators. */
function operandOf(
  { form, needed }: OperatorGroup,
  random: Random,
  world: World,
  table: WorldTable,
  column: WorldColumn,
  options: FilterOptions,
): JsonValue {
  const value = () => operand(random, world, table, column, options)
  switch (form) {
    case 'value':
      if (needed === 'text') return random.pick(['a', 'b', '', 'Zo'])
      return isArray(column) ? arrayValue(column) : value()
    case 'pattern':
      return random.pick(['a%', '%b', '_', '%'])
    case 'list': {
      const lists = Object.entries(callerLists).filter(([, { type }]) => type === column.type)
      if (options.mayLack && lists.length > 0 && random.chance(50)) {
        return `$user.${random.pick(lists)[0]}`
      }
      return random.some([1, 2, 3]).map(() => literalValue(random, world, table, column))
    }
    case 'range':
      return [value(), value()]
    case 'flag':
      return random.chance(50)
    case 'document':
      return random.pick<JsonValue>([{ a: 1 }, [1], {}])
    case 'texts':
      return random.some(['a', 'b', 'c'], 1)
    case 'text':
      return random.pick(['a', 'b'])
    case 'condition':
      return condition(random, world, table, column, options)
  }
}

function isArray({ type }: WorldColumn): boolean {
  return type.endsWith('[]')
}

function arrayValue({ type }: WorldColumn): JsonValue {
  return type === 'int4[]' ? [1, 2] : ['a']
}

/** A constant, another column, a field of the caller, the current time. */
function operand(
  random: Random,
  world: World,
  table: WorldTable,
  column: WorldColumn,
  { mayLack, outer }: FilterOptions,
): JsonValue {
  const fields = Object.entries(callerFields).filter(([, { type }]) => type === column.type)
  const others = table.columns.filter(
    ({ type, name }) => type === column.type && name !== column.name,
  )
  const outers = outer?.columns.filter(({ type }) => type === column.type) ?? []
  const hasMoment =
    column.type === 'date' || column.type === 'timestamp' || column.type === 'timestamptz'
  return random.weighted<() => JsonValue>([
    [10, () => literalValue(random, world, table, column)],
    [mayLack && fields.length > 0 ? 10 : 0, () => `$user.${random.pick(fields)[0]}`],
    [others.length > 0 ? 4 : 0, () => ({ $col: random.pick(others).name })],
    [outers.length > 0 ? 12 : 0, () => ({ $outer: random.pick(outers).name })],
    [hasMoment ? 3 : 0, () => ({ $now: random.pick(['-30d', '+1h', '0s']) })],
    [column.type === 'text' ? 1 : 0, () => ({ $literal: '$user.x' })],
  ])()
}

/** Often the value of a row: otherwise few filters would be true for any row. */
function literalValue(
  random: Random,
  world: World,
  table: WorldTable,
  column: WorldColumn,
): JsonValue {
  const at = table.columns.indexOf(column)
  const rows = rowsOf(world, table.name)
  const stored = rows.length > 0 && random.chance(70) ? random.pick(rows)[at] : undefined
  return jsonOf(stored ?? sampleText(random, column.type), column.type)
}

function jsonOf(text: string, type: TypeName): JsonValue {
  if (type === 'bool') return text === 'true'
  return type === 'int2' || type === 'int4' ? Number(text) : text
}

function callerFilter(random: Random): Filter {
  return random.pick<Filter>([
    { '$user.level': { $gte: 2 } },
    { '$user.level': { $lt: 2 } },
    { '$user.name': 'a' },
    { '$user.name': { $ne: 'a' } },
    { '$user.flag': true },
    { '$user.small': { $in: [1, 5] } },
    { '$user.name': { $isNull: false } },
  ])
}

const withoutCaller = (options: FilterOptions, random: Random): FilterOptions => ({
  ...options,
  depth: options.depth - 1,
  mayRelate: options.mayRelate && options.depth > 1,
  mayReadItself: false,
  mayLack: random.chance(30),
  outer: undefined,
})

/** Along a foreign key: its column without `r` is the relation's name only by the naming rules. */
function toOne(random: Random, world: World, table: WorldTable, options: FilterOptions): Filter {
  const [key] = random.shuffled(table.foreignKeys)
  if (key === undefined) return columnFilter(random, world, table, options)
  const far = world.tables.find(({ name }) => name === key.table)
  if (far === undefined) return {}
  return {
    [toOneName(key.column)]: randomFilter(random, world, far, withoutCaller(options, random)),
  }
}

/** The names of relations in the fuzzer's worlds: see `relationships` of the connection. */
export function toOneName(column: string): string {
  return `one_${column}`
}

export function toManyName(table: string, column: string): string {
  return `many_${table}_${column}`
}

function toMany(random: Random, world: World, table: WorldTable, options: FilterOptions): Filter {
  const keys = world.tables.flatMap((other) =>
    other.foreignKeys.filter((key) => key.table === table.name).map((key) => ({ other, key })),
  )
  if (keys.length === 0) return columnFilter(random, world, table, options)
  const { other, key } = random.pick(keys)
  const inner = randomFilter(random, world, other, withoutCaller(options, random))
  return {
    [toManyName(other.name, key.column)]: { [random.pick(['$some', '$every', '$none'])]: inner },
  }
}

function existsFilter(
  random: Random,
  world: World,
  table: WorldTable,
  options: FilterOptions,
): Filter {
  const far = random.pick(world.tables)
  const where = randomFilter(random, world, far, {
    ...withoutCaller(options, random),
    mayRelate: false,
    outer: table,
  })
  return { $exists: { table: `main.${far.name}`, where } }
}
