import { type Sql, sql } from '@engine/core/print'

/** Fails when it is evaluated: the only such expression in SQLite. */
export const failure: Sql = sql`abs(-9223372036854775807 - 1)`
