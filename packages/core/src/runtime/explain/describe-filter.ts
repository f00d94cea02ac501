/** @module Filters of a configuration as readable text; no catalog is used. */
import type { Filter } from '../../compiler/permissions/filter/filter.ts'
import { filterOperator } from '../../compiler/permissions/filter/filter-operators.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'

/** `customer_id = $user.customer_id and status in ('new', 'paid')`; `true` for a filter without conditions. */
export function describeFilter(filter: Filter | undefined): string {
  return textOf(allOf(filter ?? {}), 'or')
}

/** A text and the operator that joins its parts: in a larger text it may need parentheses. */
interface Part {
  readonly text: string
  readonly joint: 'and' | 'or' | undefined
}

const leaf = (text: string): Part => ({ text, joint: undefined })

function join(parts: readonly Part[], joint: 'and' | 'or'): Part {
  const [first, second] = parts
  if (first === undefined) return leaf(joint === 'and' ? 'true' : 'false')
  if (second === undefined) return first
  return { text: parts.map((part) => textOf(part, joint)).join(` ${joint} `), joint }
}

/** In parentheses where the operator around would otherwise bind the parts of `part`. With `or` around, none are needed. */
function textOf({ text, joint }: Part, around: 'and' | 'or'): string {
  return joint === 'or' && around === 'and' ? `(${text})` : text
}

function negated(part: Part): Part {
  return leaf(`not (${part.text})`)
}

function allOf(filter: Readonly<Record<string, unknown>>): Part {
  return join(
    Object.entries(filter).map(([key, value]) => entryPart(key, value)),
    'and',
  )
}

function listParts(value: unknown): readonly Part[] {
  return Array.isArray(value) ? value.map(nested) : [leaf(valueText(value))]
}

function nested(value: unknown): Part {
  return isPlainObject(value) ? allOf(value) : leaf(valueText(value))
}

function entryPart(key: string, value: unknown): Part {
  switch (key) {
    case '$and':
      return join(listParts(value), 'and')
    case '$or':
      return join(listParts(value), 'or')
    case '$nor':
      return negated(join(listParts(value), 'or'))
    case '$not':
      return negated(nested(value))
    case '$exists':
      return existsPart(value)
    default:
      return conditionPart(key, value)
  }
}

function existsPart(value: unknown): Part {
  if (!isPlainObject(value)) return leaf(`exists ${valueText(value)}`)
  const where = nested(value['where'] ?? {})
  const condition = where.text === 'true' ? '' : ` where ${where.text}`
  return leaf(`exists (${String(value['table'])}${condition})`)
}

const quantifiers: Readonly<Record<string, string>> = {
  $some: 'a',
  $every: 'every',
  $none: 'no',
}

/** `a related row of orders has (status = 'new')` */
function relatedPart(quantifier: string, relation: string, { text }: Part): Part {
  const rows = `${quantifier} related row of ${relation}`
  return leaf(text === 'true' ? `${rows} exists` : `${rows} has (${text})`)
}

function conditionPart(name: string, value: unknown): Part {
  if (!isPlainObject(value) || isOperand(value)) return leaf(`${name} = ${valueText(value)}`)
  const entries = Object.entries(value)
  const isRelation = entries.every(([key]) => !key.startsWith('$') || key.startsWith('$user.'))
  if (isRelation) return relatedPart('a', name, allOf(value))
  return join(
    entries.map(([key, operand]) => {
      const quantifier = Object.hasOwn(quantifiers, key) ? quantifiers[key] : undefined
      return quantifier === undefined
        ? operatorPart(name, key, operand)
        : relatedPart(quantifier, name, nested(operand))
    }),
    'and',
  )
}

const operands = ['$col', '$now', '$literal', '$outer']

function isOperand(value: Readonly<Record<string, unknown>>): boolean {
  return operands.some((key) => Object.hasOwn(value, key))
}

function operatorPart(name: string, key: string, operand: unknown): Part {
  const { words = key } = filterOperator(key) ?? {}
  if (typeof words === 'string') return leaf(`${name} ${words} ${valueText(operand)}`)
  const nested = (inner: unknown) => conditionPart(name, inner).text
  return leaf(words({ name, operand, textOf: valueText, nested }))
}

/** A value as a permission writes it: constants in quotes, references without. */
export function valueText(value: unknown): string {
  if (typeof value === 'string') {
    return value.startsWith('$user.') ? value : `'${value.replaceAll("'", "''")}'`
  }
  if (Array.isArray(value)) return `(${value.map(valueText).join(', ')})`
  if (!isPlainObject(value)) return String(value)
  const [key, ...others] = Object.keys(value)
  const inner = key === undefined || others.length > 0 ? undefined : value[key]
  switch (others.length === 0 ? key : undefined) {
    case '$col':
      return String(inner)
    case '$outer':
      return `outer ${String(inner)}`
    case '$literal':
      return typeof inner === 'string' ? `'${inner.replaceAll("'", "''")}'` : valueText(inner)
    case '$now':
      return nowText(inner)
    default:
      return JSON.stringify(value)
  }
}

/** `now`, `now - 30d` */
function nowText(offset: unknown): string {
  const text = typeof offset === 'string' ? offset : ''
  const size = text.replace(/^[+-]/, '')
  if (/^0*[a-z]*$/i.test(size)) return 'now'
  return `now ${text.startsWith('-') ? '-' : '+'} ${size}`
}
