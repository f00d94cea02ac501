/** @module Column defaults as values, where the database's own SQL for them is a plain literal. */
import { type Column, literalDefault, parameter, type Sql, sql } from '@engine/core'
import { classOfType, type PrintContext } from './print-context.ts'
import { nativeOf } from './read-stored.ts'
import { storedForm } from './store-value.ts'

/** What is stored for DEFAULT; undefined where only SQLite knows, when the column is left out. */
export function defaultValue(column: Column, context: PrintContext): Sql | undefined {
  if (nativeOf(column).isRowidAlias === true) return sql`null`
  if (column.nativeDefault === undefined) return column.hasDefault ? undefined : sql`null`
  const text = withoutParentheses(column.nativeDefault.trim())
  if (/^null$/i.test(text)) return sql`null`
  if (isMomentOfRequest(text, column, context)) {
    return parameter({ from: 'requestTime', type: column.type, offsetMs: 0, calendar: undefined })
  }
  const value = literalDefault(text, classOfType(column.type, context))
  if (value === undefined) return undefined
  return storedForm(column, parameter({ from: 'constant', value, type: column.type }), context)
}

/** Is the default the time of the request, in a form that SQLite would spell otherwise? */
export function isMomentDefault(column: Column, context: PrintContext): boolean {
  const text = withoutParentheses(column.nativeDefault?.trim() ?? '')
  return isMomentOfRequest(text, column, context)
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
