/** @module Column defaults as values, where the database's own SQL for them is a plain literal. */
import type { Column } from '@engine/core/catalog'
import { literalDefault, parameter, type Sql, sql } from '@engine/core/print'
import { call, classOfType, nullSql, type PrintContext } from '../print-context.ts'
import { nativeOf } from '../read-stored.ts'
import { storedForm } from './store-value.ts'

/** The stored value of DEFAULT; undefined where only SQLite knows it, when the column is left out. */
export function defaultValue(column: Column, context: PrintContext): Sql | undefined {
  if (nativeOf(column).isRowidAlias === true) return sql`null`
  if (isNullDefault(column)) return isKeyThatTakesNull(column) ? call('not_null', nullSql) : nullSql
  if (column.nativeDefault === undefined) return undefined
  const text = withoutParentheses(column.nativeDefault.trim())
  if (isMomentOfRequest(text, column, context)) {
    return parameter({
      from: 'requestTime',
      type: column.type,
      offsetMs: 0,
      calendar: undefined,
      ofTransaction: true,
    })
  }
  const value = literalDefault(text, classOfType(column.type, context))
  if (value === undefined) return undefined
  return storedForm(column, parameter({ from: 'constant', value, type: column.type }), context)
}

/**
 * Must the statement set the default of an omitted column itself? SQLite would spell the time of the request differently, and
 * some primary keys accept NULL, which no key may contain.
 */
export function isSpelledDefault(column: Column, context: PrintContext): boolean {
  if (isKeyThatTakesNull(column) && isNullDefault(column)) return true
  const text = withoutParentheses(column.nativeDefault?.trim() ?? '')
  return isMomentOfRequest(text, column, context)
}

function isKeyThatTakesNull(column: Column): boolean {
  const { storesNull, isRowidAlias } = nativeOf(column)
  return storesNull === true && isRowidAlias !== true
}

function isNullDefault({ nativeDefault, hasDefault }: Column): boolean {
  if (nativeDefault === undefined) return !hasDefault
  return /^null$/i.test(withoutParentheses(nativeDefault.trim()))
}

function withoutParentheses(text: string): string {
  return text.startsWith('(') && text.endsWith(')')
    ? withoutParentheses(text.slice(1, -1).trim())
    : text
}

function isMomentOfRequest(text: string, column: Column, context: PrintContext): boolean {
  switch (classOfType(column.type, context)) {
    case 'timestamp':
    case 'timestamptz':
      return /^current_timestamp$/i.test(text)
    case 'date':
      return /^current_date$/i.test(text)
    case 'time':
      return /^current_time$/i.test(text)
    default:
      return false
  }
}
