import { type Sql, sql } from '@engine/core'

/** A key of an object, as a step of a path. */
export function keyPath(key: Sql): Sql {
  return sql`concat('$."', replace(replace(${key}, '\\\\', '\\\\\\\\'), '"', '\\\\"'), '"')`
}
