/** @module DEFAULT as an expression, where the column's default is a plain value. */
import type { Column } from '@engine/core/catalog'
import { literalDefault, type Sql, sql } from '@engine/core/print'
import type { Expression } from '@engine/core/tree'
import { classOfType, type PrintContext } from '../print-context.ts'
import { nativeOf } from './row-key.ts'

/** Undefined where only the server knows the value: numbers that it assigns, and computed defaults. */
export function defaultExpression(column: Column, context: PrintContext): Expression | undefined {
  const { isAutoIncrement, defaultExpression: text } = nativeOf(column)
  if (isAutoIncrement === true || column.generated !== 'no') return undefined
  if (text === undefined) return { kind: 'constant', value: null, type: column.type }
  const typeClass = classOfType(column.type, context)
  if (isMoment(text, typeClass))
    return {
      kind: 'requestTime',
      type: column.type,
      offsetMs: 0,
      calendar: undefined,
      ofTransaction: true,
    }
  // The meaning of a backslash in it depends on the session that created the table.
  const value = text.includes('\\') ? undefined : literalDefault(withoutWords(text), typeClass)
  return value === undefined ? undefined : { kind: 'constant', value, type: column.type }
}

/** MySQL's constants where it takes them for expressions: `_utf8mb4'a'`: `'a'`, and `-(3)`: `-3`. */
function withoutWords(text: string): string {
  return text.replace(/^_utf8mb[34](?=')/i, '').replace(/^-\(([\d.]+)\)$/, '-$1')
}

/** Defaults that are another value for each row, as the server reports them. */
const uuids: ReadonlyMap<string, Sql> = new Map([
  ['uuid()', sql`uuid()`],
  ['uuid_to_bin(uuid())', sql`uuid_to_bin(uuid())`],
  ['uuid_to_bin(uuid(),0)', sql`uuid_to_bin(uuid())`],
  ['uuid_to_bin(uuid(),false)', sql`uuid_to_bin(uuid())`],
  ['uuid_to_bin(uuid(),1)', sql`uuid_to_bin(uuid(), 1)`],
  ['uuid_to_bin(uuid(),true)', sql`uuid_to_bin(uuid(), 1)`],
])

/** A default that is a new UUID for each row, in the server's SQL; undefined for any other. */
export function uuidDefault(column: Column): Sql | undefined {
  return uuids.get((nativeOf(column).defaultExpression ?? '').toLowerCase().replaceAll(' ', ''))
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
