/** @module Texts that cannot have grown: out of the client's request or out of a table, or a few of those together. */
import type { ColumnReference, Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeClass } from './type-class.ts'

/** What a dialect knows about an expression's parts. */
export interface ModestFacts {
  classOf(type: SqlType): TypeClass
  /** Does the column hold what a table stores, not what a query made? */
  isStored(column: ColumnReference): boolean
}

/**
 * Can the text of this expression be no longer than what was stored or sent? Texts that a query makes can double with every
 * derived table around it: those are joined by what stops.
 */
export function isModest(expression: Expression, facts: ModestFacts): boolean {
  if (isShort(expression, facts)) return true
  switch (expression.kind) {
    case 'constant':
    case 'parameter':
    case 'caller':
    case 'requestTime':
      return true
    case 'column':
      return facts.isStored(expression)
    case 'cast':
      return isModest(expression.operand, facts)
    case 'coalesce':
      return expression.args.every((each) => isModest(each, facts))
    case 'operator': {
      const { left, right, operator } = expression
      const isJoined = operator.name === '||' && left !== undefined
      return isJoined && isModest(left, facts) && isModest(right, facts)
    }
    case 'call':
      return (
        shortening.has(expression.function.name) &&
        expression.args.every((each) => isModest(each, facts))
      )
    default:
      return false
  }
}

/** Numbers, dates and the like. */
function isShort({ type }: Expression, facts: ModestFacts): boolean {
  switch (facts.classOf(type)) {
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
