import type { Violation } from '@engine/core'

/** PostgreSQL cuts longer names. */
const longestName = 63

/**
 * What the server says was violated, in PostgreSQL's names for the same declarations: `tags_pkey`, `tags_name_key`,
 * `orders_customer_id_fkey`. Names stand between quotes or backticks, as the SQL mode wants. Its messages hold values as
 * well; what is read of them stands where no value can.
 *
 * @param target the table that was written to
 */
export function violationOf(
  { errno, message }: { readonly errno: number; readonly message: string },
  target: string | undefined,
): Violation | undefined {
  switch (errno) {
    case 1062:
    case 1586: {
      const [, key] = / for key '(?:[^'.]+\.)?([^'.]+)'$/.exec(message) ?? []
      if (target === undefined || key === undefined) return { table: target }
      return named(target, key === 'PRIMARY' ? `${target}_pkey` : `${target}_${key}_key`)
    }
    case 1048:
    case 1364: {
      const [, column] = /^(?:Column|Field) '([^']+)' /.exec(message) ?? []
      return { table: target, column }
    }
    case 1451:
    case 1452:
      return foreignKey(message)
    case 3819:
      return { table: target, constraint: /^Check constraint '([^']+)' is/.exec(message)?.[1] }
    case 4025: {
      const [, constraint, table] =
        /^CONSTRAINT [`"]([^`"]+)[`"] failed for [`"][^`"]+[`"]\.[`"]([^`"]+)[`"]$/.exec(message) ??
        []
      return { table, constraint: constraint?.split('.').at(-1) }
    }
    default:
      return undefined
  }
}

/** ``a foreign key constraint fails (`db`.`orders`, CONSTRAINT `orders_ibfk_1` FOREIGN KEY (`customer_id`) REFERENCES …`` */
function foreignKey(message: string): Violation | undefined {
  const [, table, list = ''] =
    /\([`"][^`"]+[`"]\.[`"]([^`"]+)[`"], CONSTRAINT [`"][^`"]+[`"] FOREIGN KEY \(([^)]+)\) /.exec(
      message,
    ) ?? []
  if (table === undefined) return undefined
  const columns = [...list.matchAll(/[`"]([^`"]+)[`"]/g)].map(([, column]) => column)
  return named(table, `${table}_${columns.join('_')}_fkey`)
}

function named(table: string, constraint: string): Violation {
  return constraint.length > longestName ? { table } : { table, constraint }
}
