import type { Violation } from '@engine/core/adapter'

/** PostgreSQL truncates longer names. */
const longestName = 63

/**
 * The violated constraint in SQLite's message: `UNIQUE constraint failed: tags.id`, `NOT NULL constraint failed: tags.name`,
 * `CHECK constraint failed: positive`. Keys have no names there: the result has PostgreSQL's names for the same declarations. A
 * CHECK without a name is reported as its expression, which is not used as a name.
 *
 * @param isPrimaryKey undefined where SQLite's code does not identify the key
 */
export function violationOf(
  message: string,
  isPrimaryKey: boolean | undefined,
): Violation | undefined {
  const [, kind, list = ''] =
    /^(UNIQUE|NOT NULL|CHECK) constraint failed: (.+)$/s.exec(message) ?? []
  if (kind === 'CHECK') return /^[\p{L}_][\p{L}\d_$]*$/u.test(list) ? { constraint: list } : {}
  const places = list.split(', ').map((place) => place.split('.'))
  const [table] = places[0] ?? []
  // Names with dots or commas in them are ambiguous.
  if (table === undefined || places.some((place) => place.length !== 2 || place[0] !== table)) {
    return undefined
  }
  const columns = places.map(([, column = '']) => column)
  if (kind === 'NOT NULL') return { table, column: columns[0] }
  if (isPrimaryKey === undefined) return { table, columns }
  const constraint = isPrimaryKey ? `${table}_pkey` : `${table}_${columns.join('_')}_key`
  return constraint.length > longestName ? { table, columns } : { table, columns, constraint }
}
