/** @module Texts that cannot have grown: out of the client's request or out of a table, or a few of those together. */
import { type Expression, oids } from '@engine/core'
import { classOfType, type PrintContext, relationOf } from './print-context.ts'

/**
 * Can the text of this expression be no longer than what was stored or sent? Texts that a query makes can double with every
 * derived table around it, and one of a gigabyte ends the process: those are joined by functions that stop.
 */
export function isModest(expression: Expression, context: PrintContext): boolean {
  if (isShort(expression, context)) return true
  switch (expression.kind) {
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
      return true
    case 'column':
      return relationOf(expression.relation, context).column(expression.column).stored !== undefined
    case 'cast':
      return isModest(expression.operand, context)
    case 'coalesce':
      return expression.args.every((each) => isModest(each, context))
    case 'operator': {
      const { left, right, operator } = expression
      const isJoined = operator.name === '||' && left !== undefined
      return isJoined && isModest(left, context) && isModest(right, context)
    }
    case 'call':
      return (
        shortening.has(expression.function.name) &&
        expression.args.every((each) => isModest(each, context))
      )
    default:
      return false
  }
}

/** Numbers, dates and the like. */
function isShort({ type }: Expression, context: PrintContext): boolean {
  switch (classOfType(type, context)) {
    case 'text':
    case 'bpchar':
    case 'bytea':
    case 'json':
    case 'jsonb':
    case 'array':
    case 'record':
    case 'other':
      return false
    case 'numeric':
      return type.oid === oids.numeric && type.typmod >= 0
    default:
      return true
  }
}

const shortening: ReadonlySet<string> = new Set([
  'lower',
  'upper',
  'initcap',
  'substring',
  'substr',
  'left',
  'right',
  'btrim',
  'ltrim',
  'rtrim',
  'split_part',
  'reverse',
  'to_char',
  'md5',
])
