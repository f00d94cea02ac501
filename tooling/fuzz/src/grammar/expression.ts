/** @module Expressions of a wanted type: leaves, templates, and forms for every type. */
import { group, groupOf, list, maybe, plain, type Tree } from '../tree/tree.ts'
import { aggregate } from './aggregate.ts'
import { type Grammar, innerScope, type Scope } from './grammar.ts'
import { literal, parameter } from './literals.ts'
import { predicate } from './predicate.ts'
import { constants, templates } from './templates.ts'
import { isComparable, isKeyType, type TypeName } from './types.ts'
import { volatileExpression } from './volatile.ts'
import { windowCall } from './window.ts'

/** An expression of `type`; it refers to names in `scope`. */
export function expression(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { random } = grammar
  const volatile = volatileExpression(grammar, scope, type, depth)
  if (volatile !== undefined) return volatile
  if (depth <= 0 || random.chance(18)) return leaf(grammar, scope, type)
  if (scope.aggregated !== undefined && random.chance(30)) {
    const call = aggregate(grammar, scope.aggregated, type, depth)
    if (call !== undefined) return call
  }
  if (scope.mayWindow && random.chance(15)) {
    const call = windowCall(grammar, scope, type, depth)
    if (call !== undefined) return call
  }
  if (type === 'text' && scope.leaves.some((each) => each.type === 'mood') && random.chance(12)) {
    return group('e:text')`${expression(grammar, scope, 'mood', depth - 1)}::text`
  }
  if (type === 'bool' && random.chance(65)) return predicate(grammar, scope, depth)
  if (random.chance(25)) return general(grammar, scope, type, depth)
  return template(grammar, scope, type, depth)
}

/** A column if there is one, otherwise a constant. */
export function leaf(grammar: Grammar, scope: Scope, type: TypeName): Tree {
  const { random } = grammar
  const fitting = scope.leaves.filter((each) => each.type === type)
  if (fitting.length > 0 && random.chance(80)) return random.pick(fitting).tree
  const outer = scope.outer.filter((each) => each.type === type)
  if (outer.length > 0 && random.chance(55)) return random.pick(outer).tree
  return random.chance(22) ? parameter(random, type) : literal(random, type)
}

/** One of a type's operators and functions. */
function template(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { random } = grammar
  for (let attempt = 0; attempt < 8; attempt += 1) {
    const text = random.pick(templates[type])
    const isRisky = text.startsWith('!')
    if (isRisky && !random.chance(grammar.risk)) continue
    return groupOf(`e:${type}`, filled(grammar, scope, isRisky ? text.slice(1) : text, depth))
  }
  return leaf(grammar, scope, type)
}

function filled(grammar: Grammar, scope: Scope, text: string, depth: number): readonly Tree[] {
  const { random } = grammar
  return text.split(/(\{[^{}' ]+\})/).flatMap((part): Tree[] => {
    if (part === '') return []
    const name = /^\{(#?)([^{}' ]+)\}$/.exec(part)
    const [, mark, word = ''] = name ?? []
    if (name === null) return [part]
    if (mark === '#') return [random.pick(constants[word] ?? [word])]
    if (!(word in templates)) return [part]
    return [expression(grammar, scope, word as TypeName, depth - 1)]
  })
}

/** Forms that exist for every type. */
function general(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { random } = grammar
  const e = group(`e:${type}`)
  const one = () => expression(grammar, scope, type, depth - 1)
  const condition = () => expression(grammar, scope, 'bool', depth - 1)
  const canCompare = isComparable(type)
  return random.weighted<() => Tree>([
    [4, () => e`coalesce(${list([one(), one(), ...(random.chance(30) ? [one()] : [])], ', ', 1)})`],
    [
      5,
      () =>
        e`case ${list(
          [plain`when ${condition()} then ${one()}`].concat(
            random.chance(30) ? plain`when ${condition()} then ${one()}` : [],
          ),
          ' ',
        )}${maybe(random.chance(70) ? plain` else ${one()}` : undefined)} end`,
    ],
    [2, () => simpleCase(grammar, scope, type, depth)],
    [canCompare ? 3 : 0, () => e`nullif(${one()}, ${one()})`],
    [isKeyType(type) ? 2 : 0, () => e`greatest(${list([one(), one()])})`],
    [isKeyType(type) ? 2 : 0, () => e`least(${list([one(), one()])})`],
    [2, () => e`(${one()}::${type})`],
    [1, () => e`cast(${one()} as ${type})`],
    [6, () => scalarSubquery(grammar, scope, type, depth)],
    [
      type === 'int4[]' || type === 'text[]' ? 6 : 0,
      () => arraySubquery(grammar, scope, type, depth),
    ],
  ])()
}

function simpleCase(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const tested = grammar.random.pick<TypeName>(['int4', 'text', 'bool', 'date'])
  const test = () => expression(grammar, scope, tested, depth - 1)
  const one = () => expression(grammar, scope, type, depth - 1)
  return group(
    `e:${type}`,
  )`case ${test()} when ${test()} then ${one()}${maybe(plain` else ${one()}`)} end`
}

function scalarSubquery(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { tree } = grammar.query(innerScope(scope), {
    types: [type],
    depth: depth - 1,
    isScalar: !grammar.random.chance(grammar.risk),
  })
  return group(`e:${type}`)`(${tree})`
}

function arraySubquery(grammar: Grammar, scope: Scope, type: TypeName, depth: number): Tree {
  const { tree } = grammar.query(innerScope(scope), {
    types: [type === 'int4[]' ? 'int4' : 'text'],
    depth: depth - 1,
    isKeyed: true,
  })
  const name = grammar.name('s')
  return group(`e:${type}`)`array(select ${name}.v from (${tree}) as ${name}(v) order by ${name}.v)`
}
