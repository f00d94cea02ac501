/** @module Conditions: comparisons, lists, subqueries, tests. */
import { group, list, plain, type Tree } from '../tree/tree.ts'
import { type Grammar, innerScope, type Scope } from './grammar.ts'
import { comparableTypes, isComparable, numberTypes, type TypeName, typeWeights } from './types.ts'

const e = group('e:bool')

const operators: readonly (readonly [number, string])[] = [
  [8, '='],
  [3, '<>'],
  [3, '<'],
  [2, '<='],
  [3, '>'],
  [2, '>='],
]

/** A boolean expression whose operands have any type. */
export function predicate(grammar: Grammar, scope: Scope, depth: number): Tree {
  const { random } = grammar
  const type = comparableType(grammar, scope)
  const one = (of: TypeName = type) => grammar.expression(scope, of, depth - 1)
  const operator = () => random.weighted(operators)
  const items = () => list(Array.from({ length: random.integer(1, 4) }, () => one()))
  return random.weighted<() => Tree>([
    [14, () => e`(${one()} ${operator()} ${one()})`],
    [4, () => e`(${one()} is ${random.pick(['null', 'not null'])})`],
    [2, () => e`(${one(random.weighted(typeWeights))} is ${random.pick(['null', 'not null'])})`],
    [3, () => e`(${one()} ${random.pick(['in', 'not in'])} (${items()}))`],
    [2, () => betweenTest(grammar, one)],
    [3, () => e`(${one()} is ${random.pick(['', 'not '])}distinct from ${one()})`],
    [4, () => mixedNumbers(grammar, scope, depth)],
    [2, () => e`(${one()} ${operator()} ${random.pick(['any', 'all'])}(array[${items()}]))`],
    [5, () => existsTest(grammar, scope, depth)],
    [4, () => subqueryTest(grammar, scope, type, depth)],
    [2, () => rowSubqueryTest(grammar, scope, type, depth)],
    [4, () => e`(${one('bool')} ${random.pick(['and', 'or'])} ${one('bool')})`],
    [2, () => e`(not ${one('bool')})`],
  ])()
}

/** A type that can be compared, mostly one that a column has. */
function comparableType({ random }: Grammar, scope: Scope): TypeName {
  const known = [...scope.leaves, ...scope.outer].filter(({ type }) => isComparable(type))
  return known.length > 0 && random.chance(80)
    ? random.pick(known).type
    : random.pick(comparableTypes)
}

function betweenTest({ random }: Grammar, one: () => Tree): Tree {
  const word = random.pick(['between', 'not between', 'between symmetric', 'not between symmetric'])
  return e`(${one()} ${word} ${one()} and ${one()})`
}

function mixedNumbers(grammar: Grammar, scope: Scope, depth: number): Tree {
  const { random } = grammar
  const one = () => grammar.expression(scope, random.pick(numberTypes), depth - 1)
  return e`(${one()} ${random.weighted(operators)} ${one()})`
}

function existsTest(grammar: Grammar, scope: Scope, depth: number): Tree {
  const { random } = grammar
  const { tree } = grammar.query(innerScope(scope), {
    types: random.chance(50) ? ['int4'] : undefined,
    depth: depth - 1,
  })
  return e`(${random.pick(['', 'not '])}exists (${tree}))`
}

function subqueryTest(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { random } = grammar
  const { tree } = grammar.query(innerScope(scope), { types: [type], depth: depth - 1 })
  const left = grammar.expression(scope, type, depth - 1)
  const test = random.chance(65)
    ? random.pick(['in', 'not in'])
    : `${random.weighted(operators)} ${random.pick(['any', 'all', 'some'])}`
  return e`(${left} ${test} (${tree}))`
}

function rowSubqueryTest(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { random } = grammar
  const { tree } = grammar.query(innerScope(scope), { types: [type, 'int4'], depth: depth - 1 })
  const left = grammar.expression(scope, type, depth - 1)
  const right = grammar.expression(scope, 'int4', depth - 1)
  const row = plain`(${left}, ${right})`
  return e`(${row} ${random.pick(['in', 'not in', '= any', '<> all'])} (${tree}))`
}
