/** @module Constructs of functions, aggregates and window functions. */
import { argumentOf, isSampled } from './argument.ts'
import { chapterOfFunction } from './chapters.ts'
import type { Attempt, Construct, Form } from './construct.ts'
import { givenArguments, properties } from './given-arguments.ts'
import type { FunctionObject } from './read-objects.ts'
import { pseudoTypes } from './sample-values.ts'

export function functionConstruct(fn: FunctionObject): Construct {
  const signature = `${fn.name}(${fn.arguments.join(',')})`
  return {
    id: `function ${signature}`,
    chapter: chapterOfFunction(fn),
    row: `${fn.name}()`,
    variant: fn.arguments.join(', '),
    attempts: (form) => attemptsOf(fn, signature, form),
  }
}

function attemptsOf(fn: FunctionObject, signature: string, form: Form): readonly Attempt[] {
  const property = properties.get(signature)
  if (property !== undefined)
    return [{ kind: 'expression', sql: property, over: 'row', aliases: ['a'] }]
  const isPolymorphic = fn.arguments.some((type) => pseudoTypes.has(type))
  return (isPolymorphic ? [0, 1] : [0]).map((choice) => attemptOf(fn, signature, { form, choice }))
}

function attemptOf(
  fn: FunctionObject,
  signature: string,
  options: { readonly form: Form; readonly choice: number },
): Attempt {
  const isOneRow = fn.returnsSet || fn.kind !== 'f'
  const given = givenArguments(fn.name, signature)
  const aliases: string[] = []
  const values: string[] = []
  for (const [index, type] of fn.arguments.entries()) {
    const own = given[index]
    if (own !== undefined) {
      values.push(own)
      continue
    }
    const alias = isOneRow ? 'a' : aliasFor(aliases, isSampled(type) || pseudoTypes.has(type))
    const value = argumentOf(type, alias, options)
    if (value === undefined) return { kind: 'impossible', reason: 'there are no enums' }
    values.push(value)
  }
  return callOf(fn, values, aliases)
}

/** `a`, `b`, then `c` for all further ones. */
function aliasFor(aliases: string[], isColumn: boolean): string {
  if (!isColumn) return 'a'
  const alias = ['a', 'b', 'c'][Math.min(aliases.length, 2)] ?? 'c'
  if (!aliases.includes(alias)) aliases.push(alias)
  return alias
}

function callOf(
  fn: FunctionObject,
  values: readonly string[],
  aliases: readonly string[],
): Attempt {
  const plain = `${nameOf(fn.name)}(${fn.isVariadic ? variadic(fn, values) : values.join(', ')})`
  if (fn.kind === 'w')
    return row(`${nameOf(fn.name)}(${values.join(', ')}) over (order by a.id)`, ['a'])
  if (fn.kind === 'a') return { ...row(aggregateCall(fn, values), ['a']), over: 'aggregate' }
  if (fn.returnsSet) {
    return {
      kind: 'statement',
      isOrdered: false,
      sql: `select a.id, f.* from main.samples a cross join lateral ${plain} as f where a.id in ({rows})`,
    }
  }
  return row(plain, aliases.length === 0 ? ['a'] : aliases)
}

function row(sql: string, aliases: readonly string[]): Extract<Attempt, { kind: 'expression' }> {
  return { kind: 'expression', sql, over: 'row', aliases }
}

/** The last argument is an array of the others: `concat_ws(text, "any")` is called with values. */
function variadic(fn: FunctionObject, values: readonly string[]): string {
  return fn.arguments.at(-1)?.startsWith('_') === true
    ? [...values.slice(0, -1), `variadic ${values.at(-1)}`].join(', ')
    : values.join(', ')
}

const needsOrder = /^(?:array_agg|string_agg|jsonb?_agg|jsonb?_object_agg|xmlagg|range_agg)$/

function aggregateCall(fn: FunctionObject, values: readonly string[]): string {
  if (fn.aggregateKind === 'o' || fn.aggregateKind === 'h') {
    const direct = values.slice(0, fn.directArguments)
    const sorted = values.slice(fn.directArguments)
    const [by = 'a.c_int4'] = sorted
    const given = fn.aggregateKind === 'h' ? ['3'] : direct
    return `${fn.name}(${given.join(', ')}) within group (order by ${fn.aggregateKind === 'h' ? 'a.c_int4' : by})`
  }
  const args = fn.arguments.length === 0 ? '*' : values.join(', ')
  return `${fn.name}(${args}${needsOrder.test(fn.name) ? ' order by a.id' : ''})`
}

/** Names that the grammar keeps for itself. */
const quoted: ReadonlySet<string> = new Set([
  'overlay',
  'position',
  'substring',
  'extract',
  'timestamp',
  'time',
  'interval',
  'bit',
  'char',
  'numeric',
  'overlaps',
  'like',
  'normalize',
  'timestamptz',
  'varchar',
  'bpchar',
  'xmlexists',
  'varbit',
  'notlike',
])

function nameOf(name: string): string {
  return quoted.has(name) ? `pg_catalog."${name}"` : name
}
