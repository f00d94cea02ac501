import type { Flavor } from '../server/flavor.ts'
import { traitsOf } from '../server/server-traits.ts'
import { type ColumnRow, expressionOf } from './catalog-queries.ts'

/**
 * The default of a column as an expression; undefined when there is none or it is NULL. A server shows an expression, or the
 * bare text of a constant. A date that the calendar does not have (`0000-00-00`) is not taken as a default: the sessions of this
 * adapter refuse to store it.
 */
export function defaultExpression(
  { default: reported, dataType, extra }: ColumnRow,
  flavor: Flavor,
): string | undefined {
  if (reported === undefined || (isDate.has(dataType) && withZeros.test(reported))) return undefined
  if (traitsOf(flavor).showsDefaultsAsSql)
    return reported.toUpperCase() === 'NULL' ? undefined : reported
  if (/\bDEFAULT_GENERATED\b/i.test(extra)) return expressionOf(reported, flavor)
  const isExpression = /^current_timestamp\b/i.test(reported) || numbers.has(dataType)
  return isExpression ? reported : `'${reported.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}

/** Constants of these types are numbers, `b'1'` for BIT. */
const numbers: ReadonlySet<string> = new Set([
  'bit',
  'tinyint',
  'smallint',
  'mediumint',
  'int',
  'bigint',
  'decimal',
  'float',
  'double',
  'year',
])

const isDate: ReadonlySet<string> = new Set(['date', 'datetime', 'timestamp'])

/** `0000-00-00 00:00:00`, `2024-00-01`, quoted or not. */
const withZeros = /^'?\d{4}-(?:00-\d\d|\d\d-00)(?!\d)/
