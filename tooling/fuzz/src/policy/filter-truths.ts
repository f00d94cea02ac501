/** @module The possible results of a filter for any row, depending only on which of its fields the caller has. */
import type { CallerFields } from '@engine/core'

/** null is UNKNOWN. */
export type Truths = ReadonlySet<boolean | null>

const any: Truths = new Set([true, false, null])
const lacking: Truths = new Set([null])

/** The truth values that a filter can have. */
export function truthsOf(filter: unknown, fields: CallerFields): Truths {
  if (typeof filter !== 'object' || filter === null) return new Set([true])
  return all(Object.entries(filter).map(([key, value]) => entryTruths(key, value, fields)))
}

function entryTruths(key: string, value: unknown, fields: CallerFields): Truths {
  const list = () => (value as readonly unknown[]).map((item) => truthsOf(item, fields))
  switch (key) {
    case '$and':
      return all(list())
    case '$or':
      return negated(all(list().map(negated)))
    case '$nor':
      return all(list().map(negated))
    case '$not':
      return negated(truthsOf(value, fields))
    case '$exists':
      return someRow(truthsOf((value as { readonly where: unknown }).where, fields))
    default:
  }
  if (key.startsWith('one_')) return someRow(truthsOf(value, fields))
  if (key.startsWith('many_')) {
    return all(
      Object.entries(value as object).map(([quantifier, inner]) => {
        const truths = truthsOf(inner, fields)
        if (quantifier === '$some') return someRow(truths)
        if (quantifier === '$none') return negated(someRow(truths))
        return everyRow(truths)
      }),
    )
  }
  if (key.startsWith('$user.') && !has(key, fields)) return lacking
  return testTruths(value, fields)
}

/** A condition on a column. */
function testTruths(value: unknown, fields: CallerFields): Truths {
  if (typeof value === 'string') return has(value, fields) ? any : lacking
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return any
  if (['$literal', '$col', '$now', '$outer'].some((key) => key in value)) return any
  return all(
    Object.entries(value).map(([operator, operand]) => {
      if (operator === '$not') return negated(testTruths(operand, fields))
      if (Array.isArray(operand)) return listTruths(operator, operand, fields)
      return typeof operand === 'string' && !has(operand, fields) ? lacking : any
    }),
  )
}

function listTruths(operator: string, items: readonly unknown[], fields: CallerFields): Truths {
  const isIn = operator === '$in' || operator === '$nin'
  if (isIn && items.length === 0) return new Set([operator === '$nin'])
  const each = items.map((item) => testTruths(item, fields))
  return operator === '$between' ? all(each) : any
}

/** TRUE, FALSE or, where it depends on a field that the caller lacks, never TRUE. */
function someRow(truths: Truths): Truths {
  if (truths.has(true)) return any
  return truths.has(null) ? lacking : new Set([false])
}

/** TRUE over no rows, except where it depends on a field that the caller lacks: then never TRUE. */
function everyRow(truths: Truths): Truths {
  if (only(truths, true)) return truths
  if (truths.has(true)) return any
  return truths.has(null) ? lacking : new Set([true, false])
}

function only(truths: Truths, truth: boolean): boolean {
  return truths.size === 1 && truths.has(truth)
}

function all(parts: readonly Truths[]): Truths {
  if (parts.some((part) => only(part, false))) return new Set([false])
  const canFail = parts.some((part) => part.has(false))
  const canMiss = parts.some((part) => part.has(null))
  const canHold = parts.every((part) => part.has(true))
  return new Set([
    ...(canHold ? [true] : []),
    ...(canFail ? [false] : []),
    ...(canMiss ? [null] : []),
  ])
}

function negated(truths: Truths): Truths {
  return new Set([...truths].map((truth) => (truth === null ? null : !truth)))
}

/** Returns whether a value does not refer to the caller, or refers to a field that the caller has. */
function has(reference: string, fields: CallerFields): boolean {
  if (!reference.startsWith('$user.')) return true
  return Object.hasOwn(fields, reference.slice('$user.'.length))
}
