import type { Violation } from '@engine/core/adapter'
import type { TargetTable } from './target-table.ts'

/** PostgreSQL truncates longer names. */
const longestName = 63

/**
 * The violated constraint in the server's message, with PostgreSQL's names for the same declarations: `tags_pkey`,
 * `tags_name_key`, `orders_customer_id_fkey`. Names are in quotes or backticks, depending on the SQL mode. The messages also
 * contain values; only the parts that cannot contain one are read.
 *
 * @param target the table that was written to
 */
export function violationOf(
  { errno, message }: { readonly errno: number; readonly message: string },
  target: TargetTable | undefined,
): Violation | undefined {
  switch (errno) {
    case 1062:
    case 1586: {
      const [, named, key] = / for key '(?:([^'.]+)\.)?([^'.]+)'$/.exec(message) ?? []
      return duplicate(named ?? target?.name, key, target)
    }
    case 1048:
    case 1364: {
      const [, column] = /^(?:Column|Field) '([^']+)' /.exec(message) ?? []
      return { table: target?.name, column }
    }
    case 1451:
    case 1452:
      return foreignKey(message)
    case 3819:
      return {
        table: target?.name,
        constraint: /^Check constraint '([^']+)' is/.exec(message)?.[1],
      }
    case 4025: {
      const [, constraint, schema, table] =
        /^CONSTRAINT [`"]([^`"]+)[`"] failed for [`"]([^`"]+)[`"]\.[`"]([^`"]+)[`"]$/.exec(
          message,
        ) ?? []
      return { schema, table, constraint: constraint?.split('.').at(-1) }
    }
    default:
      return undefined
  }
}

/** ``a foreign key constraint fails (`db`.`orders`, CONSTRAINT `orders_ibfk_1` FOREIGN KEY (`customer_id`) REFERENCES …`` */
function foreignKey(message: string): Violation | undefined {
  const [, schema, table, list = ''] =
    /\([`"]([^`"]+)[`"]\.[`"]([^`"]+)[`"], CONSTRAINT [`"][^`"]+[`"] FOREIGN KEY \(([^)]+)\) /.exec(
      message,
    ) ?? []
  if (table === undefined) return undefined
  const columns = [...list.matchAll(/[`"]([^`"]+)[`"]/g)].map(([, column]) => column)
  return { schema, ...named(table, `${table}_${columns.join('_')}_fkey`) }
}

/** The name of the index does not show its columns. */
function duplicate(
  table: string | undefined,
  key: string | undefined,
  target: TargetTable | undefined,
): Violation {
  if (table === undefined || key === undefined) return { table }
  const columns = table === target?.name ? target.keys.get(key) : undefined
  if (key === 'PRIMARY') return { ...named(table, `${table}_pkey`), columns }
  return { ...named(table, `${table}_${columns?.join('_') ?? key}_key`), columns }
}

function named(table: string, constraint: string): Violation {
  return constraint.length > longestName ? { table } : { table, constraint }
}
