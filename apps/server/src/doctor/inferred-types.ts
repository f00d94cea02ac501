import type { Connection } from '@engine/core/catalog'
import { type Finding, ok, warning } from './finding.ts'

/** Maximum columns whose names are printed; the others are counted. */
const mostNamed = 5

/**
 * Finds columns whose type depends on the stored values: hidden rows can change it.
 *
 * @param hasPermissions there are callers who may not see every row
 */
export function checkInferredTypes(
  about: string,
  connection: Connection,
  hasPermissions: boolean,
): readonly Finding[] {
  const columns = [...connection.tables.values()].flatMap((table) =>
    table.columns
      .filter((column) => column.isTypeInferred === true)
      .map(({ name, type: { oid, typmod } }) => {
        return `${table.name}.${name} (${connection.types.formatType(oid, typmod)})`
      }),
  )
  if (columns.length === 0) return []
  const rest = columns.length - mostNamed
  const named = `${columns.slice(0, mostNamed).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
  const option = connection.kind === 'csv' ? 'tables.<name>.types' : 'columnTypes'
  const message = `stored rows decide the type of ${named}`
  return hasPermissions
    ? [
        warning(
          about,
          `${message}, also rows that a caller may not see: say it in ${option}, or take types: 'declared'`,
        ),
      ]
    : [ok(about, message)]
}
