/**
 * @module Expressions with volatile functions. A write that computes one twice, to check a row and to store it, gets
 * two values.
 */
import { group, plain, type Tree } from '../tree/tree.ts'
import type { Grammar, Scope, VisibleTable } from './grammar.ts'
import { columnLeaf } from './source.ts'
import type { TypeName } from './types.ts'

/** Undefined where this expression should not be volatile. */
export function volatileExpression(
  grammar: Grammar,
  scope: Scope,
  type: TypeName,
  depth: number,
): Tree | undefined {
  const { random, volatility } = grammar
  if (volatility === undefined || depth < -1 || !random.chance(volatility.percent)) return undefined
  const e = group(`e:${type}`)
  const one = () => grammar.expression(scope, type, depth - 1)
  const test = () => volatileTest(grammar)
  const isClock = type === 'timestamptz' && !volatility.hasClock
  const own = volatility.isSteady || isClock ? [] : (values[type] ?? [])
  return random.weighted<() => Tree>([
    [type === 'bool' ? 12 : 0, () => e`(${test()})`],
    [type === 'bool' ? 4 : 0, () => e`(${one()} and ${test()})`],
    [type === 'bool' ? 3 : 0, () => e`(${one()} or not ${test()})`],
    [type === 'bool' ? 2 : 0, () => e`(exists (select 1 where ${test()}))`],
    [own.length > 0 ? 5 : 0, () => e`${random.pick(own)}`],
    [6, () => e`case when ${test()} then ${one()} else ${one()} end`],
    [2, () => e`coalesce(case when ${test()} then ${one()} end, ${one()})`],
    [2, () => e`(select case when ${test()} then ${one()} else ${one()} end)`],
    [2, () => e`(select ${one()} where ${test()})`],
    [3, () => storedValue(grammar, type, one)],
  ])()
}

/** A condition that is true in about half of its evaluations, or in all of them. */
export function volatileTest({ random, volatility }: Grammar): Tree {
  const tests = volatility?.isSteady === true ? steadyTests : unsteadyTests
  return random.pick(
    volatility?.hasClock === true ? tests : tests.filter((test) => !test.includes('clock')),
  )
}

const unsteadyTests: readonly string[] = [
  'random() < 0.5',
  'random() >= 0.5',
  "gen_random_uuid()::text < '8'",
  "substr(gen_random_uuid()::text, 1, 1) in ('0', '2', '4', '6', '8', 'a', 'c', 'e')",
  'extract(microseconds from clock_timestamp())::int4 % 2 = 0',
  '(select random()) < 0.5',
  '(random() * 2)::int4 = 1',
]

const steadyTests: readonly string[] = [
  'random() < 2',
  'random() >= 0',
  "gen_random_uuid()::text >= '0'",
  'length(gen_random_uuid()::text) = 36',
  "clock_timestamp() > timestamptz '2000-01-01 00:00:00+00'",
  '(select random()) < 2',
]

const values: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  int4: ['(random() * 3)::int4', '(random() * 4)::int4 % 5'],
  int8: ['(random() * 3)::int8'],
  float8: ['random()'],
  numeric: ['round(random()::numeric, 2)'],
  text: ['substr(gen_random_uuid()::text, 1, 1)', 'substr(gen_random_uuid()::text, 1, 4)'],
  uuid: ['gen_random_uuid()'],
  timestamptz: ['clock_timestamp()'],
}

/** The cell of a randomly chosen row. */
function storedValue(grammar: Grammar, type: TypeName, one: () => Tree): Tree {
  const { random, volatility } = grammar
  const found = grammar.tables.flatMap(({ table, readable }) =>
    table.columns
      .filter((column) => column.type === type && readable.includes(column.name))
      .map((column) => ({ table, column })),
  )
  if (found.length === 0) return one()
  const { table, column } = random.pick(found)
  const alias = grammar.name('a')
  const { tree } = columnLeaf(alias, column.name, type)
  const source: Tree = { kind: 'table', name: table.name, isTarget: false }
  const e = group(`e:${type}`)
  if (volatility?.isSteady === true) {
    return e`(select max(${tree}::text)::${type} from ${source} ${alias} where ${volatileTest(grammar)})`
  }
  const picked = random.pick([
    'order by random()',
    'where random() < 0.5',
    'order by gen_random_uuid()',
  ])
  return e`(select ${tree} from ${source} ${alias} ${picked} limit 1)`
}

/** Rows of a table that a write reads: all of them, or a random part. */
export interface ReadRows {
  /** An item of FROM. */
  readonly tree: Tree
  /** A WITH clause before the write. */
  readonly prefix: Tree
}

export function readRows(
  grammar: Grammar,
  { table: { name }, readable }: VisibleTable,
  alias: string,
): ReadRows {
  const { random, volatility } = grammar
  const source: Tree = { kind: 'table', name, isTarget: false }
  if (volatility === undefined || random.chance(40)) {
    return { tree: plain`${source} ${alias}`, prefix: '' }
  }
  const columns = readable.map((column) => `x.${column}`).join(', ')
  const picked = random.weighted<() => Tree>([
    [6, () => plain`where ${volatileTest(grammar)}`],
    [volatility.isSteady ? 0 : 3, () => 'order by random() limit 2'],
    [volatility.isSteady ? 0 : 1, () => 'order by gen_random_uuid() limit 1'],
  ])()
  const rows = plain`select ${columns} from ${source} x ${picked}`
  if (random.chance(60)) return { tree: plain`(${rows}) ${alias}`, prefix: '' }
  const named = grammar.name('r')
  const kind = random.pick(['', '', 'materialized ', 'not materialized '])
  return { tree: plain`${named} ${alias}`, prefix: plain`with ${named} as ${kind}(${rows}) ` }
}
