/** @module Aggregates whose result does not depend on the order of rows. */
import { group, list, maybe, plain, type Tree } from '../tree/tree.ts'
import { keyed } from './expression-key.ts'
import type { Grammar, Scope } from './grammar.ts'
import type { TypeName } from './types.ts'

/**
 * Arguments of aggregates by result type: `{int4}` is an argument, `{key:text}` one that the aggregate also sorts by.
 */
const calls: Readonly<Partial<Record<TypeName, readonly string[]>>> = {
  int8: [
    'count(*)',
    'count({any})',
    'count(distinct {key})',
    'sum({int4})',
    'sum({int2})',
    'count(distinct {int4})',
  ],
  int4: [
    'min({int4})',
    'max({int4})',
    'bit_and({int4})',
    'bit_or({int4})',
    'percentile_disc(0.5) within group (order by {int4})',
  ],
  numeric: [
    'sum({numeric})',
    'avg({int4})',
    'avg({numeric})',
    'sum({int8})',
    'sum(distinct {int8})',
    'round(stddev({int4}), 4)',
    'round(variance({int4}), 4)',
    'round(var_pop({int4}), 4)',
  ],
  bool: ['bool_and({bool})', 'bool_or({bool})', 'every({bool})'],
  text: [
    'min({text})',
    'max({text})',
    "string_agg({t}, ',' order by {t})",
    "string_agg(distinct {t}, '|' order by {t})",
    "string_agg({t}, ';' order by {t} desc nulls first)",
    'mode() within group (order by {text})',
  ],
  mood: [
    'min({mood})',
    'max({mood})',
    'mode() within group (order by {mood})',
    'percentile_disc(0.5) within group (order by {mood})',
  ],
  date: ['min({date})', 'max({date})'],
  timestamp: ['max({timestamp})'],
  timestamptz: ['min({timestamptz})'],
  time: ['max({time})'],
  'int4[]': [
    'array_agg({n} order by {n})',
    'array_agg(distinct {n} order by {n})',
    'array_agg({n} order by {n} desc nulls last)',
  ],
  'text[]': ['array_agg({t} order by {t})'],
  json: [
    'json_agg({n} order by {n})',
    'json_agg({t} order by {t})',
    'json_object_agg({n}, {n} order by {n})',
  ],
  jsonb: [
    'jsonb_agg({n} order by {n})',
    'jsonb_agg({t} order by {t} desc)',
    'jsonb_agg(distinct {n})',
  ],
  float8: ['max({float8})', 'min({float8})', 'percentile_cont(0.5) within group (order by {int4})'],
}

/** A call with result `type` over the rows of `scope`; undefined where there is none. */
export function aggregate(
  grammar: Grammar,
  scope: Scope,
  type: TypeName,
  depth: number,
): Tree | undefined {
  const { random } = grammar
  const known = calls[type]
  if (known === undefined) return undefined
  const inner = { ...scope, mayWindow: false }
  const repeated = new Map<string, Tree>()
  const argument = (word: string): Tree => {
    if (word === 'any') return grammar.expression(inner, random.pick(grammar.keyTypes), depth - 1)
    if (word === 'key') {
      const keyType = random.pick(grammar.keyTypes)
      return keyed(grammar.expression(inner, keyType, depth - 1), keyType)
    }
    if (word === 'n' || word === 't') {
      const tree =
        repeated.get(word) ?? grammar.expression(inner, word === 'n' ? 'int4' : 'text', 1)
      repeated.set(word, typed(tree, word))
      return typed(tree, word)
    }
    return grammar.expression(inner, word as TypeName, depth - 1)
  }
  const text = random.pick(known)
  const parts = text
    .split(/(\{[^}]+\})/)
    .map((part): Tree => (part.startsWith('{') ? argument(part.slice(1, -1)) : part))
  const mayFilter = !text.startsWith('round(')
  const filter =
    mayFilter && random.chance(20)
      ? plain` filter (where ${grammar.expression(inner, 'bool', depth - 1)})`
      : undefined
  return group(`e:${type}`)`${list(parts, '', parts.length)}${maybe(filter)}`
}

/** An argument that is written twice gets an explicit type, so that both are the same to PostgreSQL. */
function typed(tree: Tree, word: 'n' | 't'): Tree {
  if (typeof tree === 'object' && tree.kind === 'group' && tree.sort === '') return tree
  return plain`(${tree})::${word === 'n' ? 'int4' : 'text'}`
}
