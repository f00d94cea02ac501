import { commaList, type Sql, sql } from '@engine/core'
import { call } from './print-context.ts'

/** The server's own function is NULL as soon as one argument is: each NULL gives way to another argument. */
export function greatestOf(values: readonly Sql[], isGreatest: boolean): Sql {
  const [only] = values
  if (only !== undefined && values.length === 1) return only
  const filled = values.map((_, index) => {
    const rotated = [...values.slice(index), ...values.slice(0, index)]
    return sql`coalesce(${commaList(rotated)})`
  })
  return isGreatest ? call('greatest', ...filled) : call('least', ...filled)
}
