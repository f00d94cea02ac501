/**
 * @module Constructs that can contain themselves: every function, operator and cast of the allow-list, and every form
 * of an expression. A shape puts an expression into another one of the same type, so that it can be nested to any
 * depth.
 */
import {
  builtinCasts,
  builtinFunctions,
  builtinOperators,
  builtinTypes,
  type PgFunction,
} from '@engine/core/catalog'
import { columnOfType } from './tables.ts'

export interface Shape {
  readonly name: string
  /** The innermost expression. */
  readonly seed: string
  /** One level around an expression. */
  nest(inner: string): string
  /** Many expressions side by side, where the shape allows it; otherwise as many outputs. */
  widen?(items: readonly string[]): string
  /** The statement that contains an expression; a select list over `item` by default. */
  statement?(expression: string): string
}

type Oid = number

const types = new Map(builtinTypes.map((type) => [type.oid, type]))
const oidOf = new Map(builtinTypes.map((type) => [type.name, type.oid]))

/** Concrete types for polymorphic and pseudo-types. */
const stand: Readonly<Record<string, string>> = {
  any: 'int4',
  anyelement: 'int4',
  anynonarray: 'int4',
  anycompatible: 'int4',
  anycompatiblenonarray: 'int4',
  anyarray: '_int4',
  anycompatiblearray: '_int4',
  record: 'int4',
  cstring: 'text',
  name: 'text',
}

/** Undefined for a type that a client's expression cannot have. */
export function concrete(oid: Oid): Oid | undefined {
  const type = types.get(oid)
  if (type === undefined) return undefined
  const standing = stand[type.name]
  if (standing !== undefined) return oidOf.get(standing)
  return type.isNameable ? oid : undefined
}

/** As a statement spells it: `int4[]`. */
export function typeName(oid: Oid): string {
  const name = types.get(oid)?.name ?? 'text'
  if (name.startsWith('_')) return `${typeName(types.get(oid)?.elementOid ?? 0)}[]`
  return name === 'char' ? '"char"' : name
}

/** A column of the type, or a substitute. */
export function sampleOf(oid: Oid): string {
  const column = columnOfType(oid)
  if (column !== undefined) return `t.${column}`
  const isArray = types.get(oid)?.elementOid !== undefined
  return isArray ? `t.c_text::${typeName(oid)}` : `cast(t.c_text as ${typeName(oid)})`
}

const castable = new Set(
  builtinCasts.map(({ sourceOid, targetOid }) => `${sourceOid} ${targetOid}`),
)

function convert(expression: string, from: Oid, to: Oid): string {
  if (from === to) return expression
  if (castable.has(`${from} ${to}`)) return `${expression}::${typeName(to)}`
  return `${expression}::text::${typeName(to)}`
}

/** Names that are words of the grammar where they are called: their forms are among the expressions below. */
const quoted: ReadonlySet<string> = new Set([
  'overlay',
  'position',
  'substring',
  'timezone',
  'date_part',
  'exists',
  'xmlexists',
])

/** `pg_catalog."lower"(t.c_text)` */
export function callOf(called: PgFunction, args: readonly string[]): string {
  const name = quoted.has(called.name) ? called.name : `"${called.name}"`
  return `pg_catalog.${name}(${args.join(', ')})`
}

/** One shape for each argument of each function, and one with the inner expression in all arguments of its type. */
function functionShapes(called: PgFunction): readonly Shape[] {
  const result = concrete(called.resultOid)
  const args = called.argumentOids.map(concrete)
  if (result === undefined || args.some((each) => each === undefined) || args.length === 0)
    return []
  const oids = args as readonly Oid[]
  const values = oids.map(sampleOf)
  const suffix = called.kind === 'window' ? ' over (order by t.id)' : ''
  return oids.map((oid, place): Shape => {
    const base = called.kind === 'function' ? 't' : 'x'
    const build = (inner: string) => {
      const all = values.map((value, index) => (index === place ? inner : value))
      const call = `${callOf(called, all)}${suffix}`
      return called.kind === 'function' ? call : `(select ${call} from part as ${base})`
    }
    return {
      name: `${called.signature} at ${place + 1}`,
      seed: sampleOf(oid),
      nest: (inner) => convert(build(inner), result, oid),
      ...(called.variadicOid === undefined || called.kind !== 'function'
        ? {}
        : {
            widen: (items) =>
              convert(callOf(called, [...values.slice(0, -1), ...items]), result, oid),
          }),
    }
  })
}

/** `a = b = c` is a syntax error. */
const comparisons: ReadonlySet<string> = new Set(['=', '<>', '<', '>', '<=', '>='])

/**
 * Hashes, and functions and operators of geometric types, money and single bytes: they are many, PostgreSQL prints each as any
 * other function, and the other databases refuse them.
 */
function isOfOneDatabase(signature: string): boolean {
  return /^hash|_hash|\b_?(?:point|box|line|lseg|path|polygon|circle|money|char)\b/.test(signature)
}

function operatorShapes(): readonly Shape[] {
  return builtinOperators
    .filter(({ isAllowed, signature }) => isAllowed && !isOfOneDatabase(signature))
    .flatMap((operator): readonly Shape[] => {
      const result = concrete(operator.resultOid)
      const right = concrete(operator.rightOid)
      const left = operator.leftOid === undefined ? undefined : concrete(operator.leftOid)
      if (result === undefined || right === undefined) return []
      if (operator.leftOid === undefined) {
        return [
          {
            name: operator.signature,
            seed: sampleOf(right),
            nest: (inner) => convert(`(${operator.name} ${inner})`, result, right),
          },
        ]
      }
      if (left === undefined) return []
      const symbol = ` ${operator.name} `
      return [
        {
          name: `${operator.signature} at left`,
          seed: sampleOf(left),
          nest: (inner) => convert(`(${inner}${symbol}${sampleOf(right)})`, result, left),
          ...(left === right && result === left && !comparisons.has(operator.name)
            ? { widen: (items: readonly string[]) => items.join(symbol) }
            : {}),
        },
        {
          name: `${operator.signature} at right`,
          seed: sampleOf(right),
          nest: (inner) => convert(`(${sampleOf(left)}${symbol}${inner})`, result, right),
        },
      ]
    })
}

function castShapes(): readonly Shape[] {
  return builtinCasts.flatMap(({ sourceOid, targetOid }): readonly Shape[] => {
    const [source, target] = [concrete(sourceOid), concrete(targetOid)]
    if (source === undefined || target === undefined) return []
    return [
      {
        name: `${typeName(source)}::${typeName(target)}`,
        seed: sampleOf(source),
        nest: (inner) => convert(`${inner}::${typeName(target)}`, target, source),
      },
    ]
  })
}

const list = (items: readonly string[]) => items.join(', ')

/** The forms of expressions, each for one type. */
const forms: readonly Shape[] = [
  'int4',
  'numeric',
  'text',
  'float8',
  'timestamptz',
  'jsonb',
  'bool',
  '_int4',
].flatMap((type): readonly Shape[] => {
  const oid = oidOf.get(type) ?? 0
  const value = sampleOf(oid)
  const name = typeName(oid)
  const shape = (form: string, nest: Shape['nest'], widen?: Shape['widen']): Shape => ({
    name: `${form} of ${name}`,
    seed: value,
    nest,
    ...(widen === undefined ? {} : { widen }),
  })
  /** A condition as a value of the type. */
  const chosen = (condition: string) => `case when ${condition} then ${value} end`
  return [
    shape('CASE condition', (inner) => chosen(`${inner} = ${value}`)),
    shape(
      'CASE operand',
      (inner) => `case ${inner} when ${value} then ${value} else ${value} end`,
      (items) => `case ${value} ${items.map((each) => `when ${each} then ${each}`).join(' ')} end`,
    ),
    shape('CASE result', (inner) => `case when t.c_bool then ${inner} else ${value} end`),
    shape(
      'COALESCE',
      (inner) => `coalesce(${inner}, ${value})`,
      (items) => `coalesce(${list(items)})`,
    ),
    shape('COALESCE, behind', (inner) => `coalesce(${value}, ${inner})`),
    shape('NULLIF', (inner) => `nullif(${inner}, ${value})`),
    shape('NULLIF, behind', (inner) => `nullif(${value}, ${inner})`),
    shape(
      'GREATEST',
      (inner) => `greatest(${inner}, ${value})`,
      (items) => `greatest(${list(items)})`,
    ),
    shape('LEAST', (inner) => `least(${value}, ${inner})`),
    shape('BETWEEN', (inner) => chosen(`${inner} between ${value} and ${value}`)),
    shape('BETWEEN SYMMETRIC', (inner) =>
      chosen(`${value} between symmetric ${inner} and ${value}`),
    ),
    shape(
      'IN',
      (inner) => chosen(`${inner} in (${value}, ${value})`),
      (items) => chosen(`${value} in (${list(items)})`),
    ),
    shape('NOT IN, behind', (inner) => chosen(`${value} not in (${inner}, ${value})`)),
    shape('IS DISTINCT FROM', (inner) => chosen(`${inner} is distinct from ${value}`)),
    shape('IS NULL', (inner) => chosen(`${inner} is not null`)),
    shape(
      'AND',
      (inner) => chosen(`(t.c_bool and ${inner} = ${value})`),
      (items) => chosen(items.map((each) => `${each} = ${value}`).join(' and ')),
    ),
    shape('IS TRUE', (inner) => chosen(`(${inner} < ${value}) is not true`)),
    shape('row comparison', (inner) => chosen(`(${inner}, ${value}) < (${value}, ${value})`)),
    shape('row equality', (inner) => chosen(`(${inner}, ${value}) = (${value}, ${value})`)),
    shape('ANY of a list', (inner) => chosen(`${value} = any(array[${inner}, ${value}])`)),
    shape('ALL of an array', (inner) => chosen(`${inner} <= all(array[${value}])`)),
    shape(
      'subscript',
      (inner) => `(array[${inner}, ${value}])[1]`,
      (items) => `(array[${list(items)}])[2]`,
    ),
    shape('slice', (inner) => `((array[${inner}, ${value}])[1:1])[1]`),
    shape('scalar subquery', (inner) => `(select ${inner} from part as p limit 1)`),
    shape('EXISTS', (inner) =>
      chosen(`exists (select 1 from part as p where ${inner} = p.${value.slice(2)})`),
    ),
    shape('IN of a subquery', (inner) =>
      chosen(`${inner} in (select p.${value.slice(2)} from part as p)`),
    ),
    shape('ALL of a subquery', (inner) =>
      chosen(`${inner} > all (select p.${value.slice(2)} from part as p)`),
    ),
    shape('ARRAY of a subquery', (inner) => `(array(select ${inner} from part as p))[1]`),
    shape('aggregate in a subquery', (inner) => `(select max(${inner}) from part as p)`),
    shape(
      'aggregate with FILTER',
      (inner) => `(select max(${value}) filter (where ${inner} = ${value}) from part as p)`,
    ),
    shape(
      'window function in a subquery',
      (inner) => `(select lag(${inner}, 1, ${value}) over (order by p.id) from part as p limit 1)`,
    ),
    shape('derived table', (inner) => `(select d.x from (select ${inner} as x) as d)`),
    shape(
      'LATERAL',
      (inner) => `(select d.x from part as p, lateral (select ${inner} as x limit 1) as d limit 1)`,
    ),
    shape(
      'VALUES',
      (inner) => `(select v.x from (values (${inner}), (${value})) as v (x) limit 1)`,
    ),
    shape('WITH', (inner) => `(with q as (select ${inner} as x) select q.x from q limit 1)`),
    shape('text of', (inner) => `(${inner}::text || '')::${name}`),
    shape('to_jsonb', (inner) => `(to_jsonb(${inner}) #>> '{}')::${name}`),
    shape('COLLATE', (inner) => `(${inner}::text collate "C")::${name}`),
  ]
})

const syntax: readonly Shape[] = [
  { name: 'substring from for', seed: 't.c_text', nest: (x) => `substring(${x} from 1 for 2)` },
  {
    name: 'substring similar',
    seed: 't.c_text',
    nest: (x) => `substring(${x} similar 'a#"b#"c' escape '#')`,
  },
  { name: 'overlay', seed: 't.c_text', nest: (x) => `overlay(${x} placing 'x' from 1 for 2)` },
  { name: 'position', seed: 't.c_text', nest: (x) => `position('a' in ${x})::text` },
  { name: 'trim', seed: 't.c_text', nest: (x) => `trim(both 'x' from ${x})` },
  { name: 'LIKE', seed: 't.c_text', nest: (x) => `(${x} like t.c_text escape '#')::text` },
  { name: 'LIKE, behind', seed: 't.c_text', nest: (x) => `(t.c_text not like ${x})::text` },
  { name: 'ILIKE', seed: 't.c_text', nest: (x) => `(${x} ilike 'a%')::text` },
  { name: 'SIMILAR TO', seed: 't.c_text', nest: (x) => `(${x} similar to 'a%')::text` },
  { name: 'LIKE ANY', seed: 't.c_text', nest: (x) => `(${x} like any (array['a%', 'b%']))::text` },
  {
    name: 'extract',
    seed: 't.c_timestamptz',
    nest: (x) => `to_timestamp(extract(epoch from ${x})::float8)`,
  },
  {
    name: 'AT TIME ZONE',
    seed: 't.c_timestamptz',
    nest: (x) => `((${x} at time zone 'UTC') at time zone 'Europe/Berlin')`,
  },
  { name: 'interval arithmetic', seed: 't.c_timestamptz', nest: (x) => `(now() + (now() - ${x}))` },
  { name: 'NOT', seed: 't.c_bool', nest: (x) => `(not ${x})` },
  {
    name: 'OR',
    seed: 't.c_bool',
    nest: (x) => `(${x} or t.c_bool)`,
    widen: (items) => items.join(' or '),
  },
  { name: 'is not unknown', seed: 't.c_bool', nest: (x) => `(${x} is not unknown)` },
  { name: 'json arrow', seed: 't.c_jsonb', nest: (x) => `(${x} -> 'a')` },
  { name: 'volatile in NULLIF', seed: 'random()', nest: (x) => `nullif(${x}, 0.5)` },
  { name: 'volatile in COALESCE', seed: 'random()', nest: (x) => `coalesce(${x}, random())` },
]

export function expressionShapes(): readonly Shape[] {
  const functions = builtinFunctions.filter(
    ({ isAllowed, isOfOperator, returnsSet, signature }) =>
      isAllowed && isOfOperator !== true && !returnsSet && !isOfOneDatabase(signature),
  )
  return [
    ...forms,
    ...syntax,
    ...functions.flatMap(functionShapes),
    ...operatorShapes(),
    ...castShapes(),
  ]
}
