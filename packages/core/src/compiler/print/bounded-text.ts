/** @module Texts whose length is bounded by what a table stores or a request sends. */
import type { ColumnReference, Expression } from '../bind/tree/expression.ts'
import { oids } from '../sql-types/oids.ts'
import type { SqlType } from '../sql-types/sql-type.ts'
import type { TypeClass } from './type-class.ts'

/** What a dialect answers about the parts of an expression. */
export interface PartFacts {
  classOf(type: SqlType): TypeClass
  /** Is the column one of a table, with what the table stores? A column of a derived table is none. */
  isStored(column: ColumnReference): boolean
}

/**
 * Is the text of this expression no longer than a few stored or sent texts together? A text that a query computes can double
 * with every derived table around it: `select c || c as c from (select c || c as c from t)`. A dialect joins such texts by a
 * function that has a limit.
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

/** Numbers, dates and the like. */
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
