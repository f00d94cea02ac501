/** @module Column defaults as values, where the database's own SQL for them is a plain literal. */
import { type Column, literalDefault, parameter, type Sql, sql } from '@engine/core/adapter'
import { call, classOfType, nullSql, type PrintContext } from '../print-context.ts'
import { nativeOf } from '../read-stored.ts'
import { storedForm } from './store-value.ts'

/** What is stored for DEFAULT; undefined where only SQLite knows, when the column is left out. */
export function defaultValue(column: Column, context: PrintContext): Sql | undefined {
  if (nativeOf(column).isRowidAlias === true) return sql`null`
  if (isNullDefault(column)) return isKeyThatTakesNull(column) ? call('not_null', nullSql) : nullSql
  if (column.nativeDefault === undefined) return undefined
  const text = withoutParentheses(column.nativeDefault.trim())
  if (isMomentOfRequest(text, column, context)) {
    return parameter({ from: 'requestTime', type: column.type, offsetMs: 0, calendar: undefined })
  }
  const value = literalDefault(text, classOfType(column.type, context))
  if (value === undefined) return undefined
  return storedForm(column, parameter({ from: 'constant', value, type: column.type }), context)
}

/**
 * Must a column that is left out be given its default by the statement? The time of the request has a form that SQLite would
 * spell otherwise, and some primary keys take NULL, which no key holds.
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
