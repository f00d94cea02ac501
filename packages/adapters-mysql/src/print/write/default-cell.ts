/** @module DEFAULT as an expression, where the column's default is a plain value. */
import { type Column, type Expression, literalDefault } from '@engine/core/adapter'
import { classOfType, type PrintContext } from '../print-context.ts'
import { nativeOf } from './row-key.ts'

/** Undefined where only the server knows the value: numbers that it assigns, and computed defaults. */
export function defaultExpression(column: Column, context: PrintContext): Expression | undefined {
  const { isAutoIncrement, defaultExpression: text } = nativeOf(column)
  if (isAutoIncrement === true || column.generated !== 'no') return undefined
  if (text === undefined) return { kind: 'constant', value: null, type: column.type }
  const typeClass = classOfType(column.type, context)
  if (isMoment(text, typeClass))
    return { kind: 'requestTime', type: column.type, offsetMs: 0, calendar: undefined }
  // The meaning of a backslash in it depends on the session that created the table.
  const value = text.includes('\\') ? undefined : literalDefault(text, typeClass)
  return value === undefined ? undefined : { kind: 'constant', value, type: column.type }
}

function isMoment(text: string, typeClass: ReturnType<typeof classOfType>): boolean {
  switch (typeClass) {
    case 'timestamp':
    case 'timestamptz':
      return /^(current_timestamp|now)(\(\d?\))?$/i.test(text)
    case 'date':
      return /^(curdate\(\)|current_date(\(\))?)$/i.test(text)
    default:
      return false
  }
}
