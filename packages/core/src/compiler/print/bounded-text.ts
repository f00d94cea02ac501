/** @module Texts whose length is bounded by stored values or by values of the request. */
import type { ColumnReference, Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeClass } from './type-class.ts'

/** A dialect's answers about the parts of an expression. */
export interface PartFacts {
  classOf(type: SqlType): TypeClass
  /** Does the column belong to a table and contain the stored value? A column of a derived table does not. */
  isStored(column: ColumnReference): boolean
}

/**
 * Is the text of this expression no longer than a small number of stored or sent texts together? A text that a query computes can
 * double with every derived table around it: `select c || c as c from (select c || c as c from t)`. A dialect concatenates such
 * texts with a function that limits the length.
 */
export function hasBoundedLength(expression: Expression, facts: PartFacts): boolean {
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
      return hasBoundedLength(expression.operand, facts)
    case 'coalesce':
      return expression.args.every((each) => hasBoundedLength(each, facts))
    case 'operator': {
      const { left, right, operator } = expression
      const isJoined = operator.name === '||' && left !== undefined
      return isJoined && hasBoundedLength(left, facts) && hasBoundedLength(right, facts)
    }
    case 'call':
      return (
        shortening.has(expression.function.name) &&
        expression.args.every((each) => hasBoundedLength(each, facts))
      )
    default:
      return false
  }
}

/** Numbers, dates and similar types. */
function isShort({ type }: Expression, facts: PartFacts): boolean {
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
