import type { Flavor } from '../flavor.ts'
import type { ColumnRow } from './catalog-queries.ts'

/**
 * The default of a column as an expression; undefined when there is none or it is NULL. MariaDB tells expressions, MySQL the
 * bare text of a constant.
 */
export function defaultExpression(
  { default: told, dataType, extra }: ColumnRow,
  { kind }: Flavor,
): string | undefined {
  if (told === undefined) return undefined
  if (kind === 'mariadb') return told.toUpperCase() === 'NULL' ? undefined : told
  const isExpression =
    /\bDEFAULT_GENERATED\b/i.test(extra) || /^current_timestamp\b/i.test(told) || dataType === 'bit'
  return isExpression ? told : `'${told.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
