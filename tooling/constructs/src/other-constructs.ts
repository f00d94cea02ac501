/** @module Constructs of operators, casts and types. */
import { argumentOf, isPortable, typeName } from './argument.ts'
import { chapterOfTypes } from './chapters.ts'
import type { Attempt, Construct, Form } from './construct.ts'
import type { CastObject, OperatorObject } from './read-objects.ts'
import { pseudoTypes, sampleTypes } from './sample-values.ts'

export function operatorConstruct(operator: OperatorObject): Construct {
  const { name, left, right } = operator
  const types = left === null ? [right] : [left, right]
  const variant = left === null ? `${name} ${right}` : `${left} ${name} ${right}`
  return {
    id: `operator ${variant}`,
    chapter: chapterOfTypes(types),
    row: name,
    variant: types.join(', '),
    attempts: (form) => {
      const choices = types.some((type) => pseudoTypes.has(type)) ? [0, 1] : [0]
      return choices.map((choice) => operatorAttempt(operator, form, choice))
    },
  }
}

function operatorAttempt(
  { name, left, right }: OperatorObject,
  form: Form,
  choice: number,
): Attempt {
  const options = { form, choice }
  const first = left === null ? '' : argumentOf(left, 'a', options)
  const second = argumentOf(right, left === null ? 'a' : 'b', options)
  if (first === undefined || second === undefined) return noEnums
  const sql = left === null ? `${name} ${second}` : `${first} ${name} ${second}`
  return { kind: 'expression', sql, over: 'row', aliases: left === null ? ['a'] : ['a', 'b'] }
}

const noEnums: Attempt = { kind: 'impossible', reason: 'there are no enums' }

export function castConstruct({ source, target }: CastObject): Construct {
  return {
    id: `cast ${source} as ${target}`,
    chapter: 'Casts',
    row: `${typeName(source)}`,
    variant: typeName(target),
    attempts: (form) => {
      const value = argumentOf(source, 'a', { form, choice: 0 })
      if (value === undefined) return [noEnums]
      return [rowOf(`cast(${value} as ${typeName(target)})`)]
    },
  }
}

function rowOf(sql: string): Attempt {
  return { kind: 'expression', sql, over: 'row', aliases: ['a'] }
}

interface TypeUse {
  readonly name: string
  readonly attempt: (type: string, form: Form) => Attempt
}

const typeUses: readonly TypeUse[] = [
  { name: 'column', attempt: (type, form) => ofColumns(type, form, rowOf(`a.c_${type}`)) },
  { name: 'literal', attempt: (type) => rowOf(`cast(${literalOf(type)} as ${declaredOf(type)})`) },
  { name: 'as text', attempt: (type, form) => rowOf(`cast(${sampleOf(type, form)} as text)`) },
  {
    name: 'comparison',
    attempt: (type, form) => rowOf(`${sampleOf(type, form)} = ${sampleOf(type, form)}`),
  },
  {
    name: 'sorting',
    attempt: (type, form) =>
      ofColumns(type, form, {
        kind: 'statement',
        isOrdered: true,
        sql: `select a.id from main.samples a where a.id in ({rows}) order by a.c_${type}, a.id`,
      }),
  },
  {
    name: 'grouping',
    attempt: (type, form) =>
      ofColumns(type, form, {
        kind: 'statement',
        isOrdered: false,
        sql: `select a.c_${type}, count(*) from main.samples a where a.id in ({rows}) group by 1`,
      }),
  },
]

function ofColumns(type: string, form: Form, attempt: Attempt): Attempt {
  const hasColumns = form === 'full' || isPortable(type)
  return hasColumns ? attempt : { kind: 'impossible', reason: 'no columns of this type' }
}

/** How a type is used: each way is a construct. Types without samples are only written as NULL. */
export function typeConstructs(type: string): readonly Construct[] {
  const isKnown = sampleTypes.some(({ name }) => name === type)
  const uses = isKnown
    ? typeUses
    : [{ name: 'NULL', attempt: () => rowOf(`cast(null as ${typeName(type)})`) }]
  return uses.map(({ name, attempt }) => ({
    id: `type ${type}, ${name}`,
    chapter: 'Data types',
    row: type,
    variant: name,
    attempts: (form) => [attempt(type, form)],
  }))
}

function sampleOf(type: string, form: Form): string {
  return argumentOf(type, 'a', { form, choice: 0 }) ?? 'null'
}

function declaredOf(type: string): string {
  return sampleTypes.find(({ name }) => name === type)?.declared ?? type
}

function literalOf(type: string): string {
  const value = sampleTypes.find(({ name }) => name === type)?.values[0] ?? ''
  return `'${value.replaceAll("'", "''")}'`
}
