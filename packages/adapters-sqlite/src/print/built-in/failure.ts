import { type Sql, sql } from '@engine/core/adapter'

/** Fails when it is evaluated: no other expression of SQLite does. */
export const failure: Sql = sql`abs(-9223372036854775807 - 1)`
