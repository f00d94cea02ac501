/** @module Window calls: over any order where ties do not matter, over every column of a row where they do. */
import { group, list, maybe, plain, type Tree } from '../tree/tree.ts'
import { exactKeys } from './expression-key.ts'
import type { Grammar, Scope } from './grammar.ts'
import type { TypeName } from './types.ts'

/** The result is the same for any order of equal rows. */
const steady: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  int8: ['rank()', 'dense_rank()', 'count(*)', 'count({any})', 'sum({int4})'],
  float8: ['percent_rank()', 'cume_dist()'],
  numeric: ['sum({numeric})', 'avg({int4})', 'sum({int8})'],
  int4: ['max({int4})', 'min({int4})'],
  text: ['max({text})', 'min({text})'],
  mood: ['max({mood})', 'min({mood})'],
  bool: ['bool_or({bool})', 'bool_and({bool})'],
}

/** The result is the same only where no two rows are equal, or equal rows are equal in all columns. */
const placed: readonly (readonly [TypeName | 'any', string])[] = [
  ['int8', 'row_number()'],
  ['int4', 'ntile({#})'],
  ['any', 'lag({T})'],
  ['any', 'lead({T}, {#})'],
  ['any', 'lag({T}, {#}, {T})'],
  ['any', 'first_value({T})'],
  ['any', 'last_value({T})'],
  ['any', 'nth_value({T}, {#})'],
]

/** A window call with result `type`; undefined where there is none. */
export function windowCall(
  grammar: Grammar,
  scope: Scope,
  type: TypeName,
  depth: number,
): Tree | undefined {
  const { random } = grammar
  const inner = { ...scope, mayWindow: false }
  const calls = steady[type]
  const isSteady = calls !== undefined && random.chance(60)
  const fitting = placed.filter(([result]) => result === 'any' || result === type)
  const text = isSteady ? random.pick(calls) : random.pick(fitting)[1]
  if (!isSteady && scope.leaves.length > 14) return undefined
  const parts = text.split(/(\{[^}]+\})/).map((part): Tree => {
    if (part === '{#}') return String(random.integer(1, 3))
    if (part === '{T}') return grammar.expression(inner, type, depth - 1)
    if (part === '{any}') return grammar.expression(inner, random.pick(grammar.keyTypes), depth - 1)
    return part.startsWith('{')
      ? grammar.expression(inner, part.slice(1, -1) as TypeName, depth - 1)
      : part
  })
  const window = isSteady
    ? steadyWindow(grammar, inner, depth)
    : placedWindow(grammar, inner, depth)
  return group(`e:${type}`)`${list(parts, '', parts.length)} over (${window})`
}

function steadyWindow(grammar: Grammar, scope: Scope, depth: number): Tree {
  const { random } = grammar
  const frames = [
    ' range between unbounded preceding and current row',
    ' range between current row and unbounded following',
    ' groups between 1 preceding and 1 following',
    ' groups between unbounded preceding and 1 preceding exclude group',
    ' range between unbounded preceding and unbounded following exclude current row',
  ]
  const hasOrder = random.chance(75)
  const order = hasOrder
    ? plain` order by ${list(sortKeys(grammar, scope, depth), ', ', 1)}${maybe(random.chance(35) ? random.pick(frames) : undefined)}`
    : undefined
  return plain`${maybe(partition(grammar, scope, depth))}${maybe(order)}`
}

function placedWindow(grammar: Grammar, scope: Scope, depth: number): Tree {
  const { random } = grammar
  const frames = [
    ' rows between 1 preceding and 1 following',
    ' rows 2 preceding',
    ' rows between unbounded preceding and unbounded following',
    ' rows between current row and 1 following exclude ties',
  ]
  const [first = '1', ...rest] = exactKeys(scope.leaves)
  const own = sortKeys(grammar, scope, depth)
  const frame = random.chance(40) ? random.pick(frames) : undefined
  const keys = list([...own, first, ...rest], ', ', own.length + 1 + rest.length)
  return plain`${maybe(partition(grammar, scope, depth))} order by ${keys}${maybe(frame)}`
}

function partition(grammar: Grammar, scope: Scope, depth: number): Tree | undefined {
  if (!grammar.random.chance(55)) return undefined
  const type = grammar.random.pick(grammar.keyTypes)
  return plain`partition by ${grammar.expression(scope, type, Math.min(depth - 1, 1))}`
}

/** One or two expressions with a direction; equal ones may have different texts. */
function sortKeys(grammar: Grammar, scope: Scope, depth: number): readonly Tree[] {
  const { random } = grammar
  return Array.from({ length: random.integer(1, 2) }, () => {
    const type = random.pick(grammar.keyTypes)
    return plain`${grammar.expression(scope, type, Math.min(depth - 1, 1))}${random.pick(directions)}`
  })
}

export const directions: readonly string[] = [
  '',
  '',
  ' asc',
  ' desc',
  ' nulls first',
  ' desc nulls last',
  ' using <',
  ' using >',
]
