/** @module A statement fails when a row that it stored violates a policy: so it needs no transaction around it. */
import { type Sql, sql } from '@engine/core/print'
import { DatabaseError } from 'pg'

/** No value of the type boolean. `concat` is not computed before there is a row. */
const failure = sql`pg_catalog.concat('engine: the check failed')::pg_catalog.bool`

/** A condition that is true, or fails the statement with the error that `isFailedCheck` recognizes. */
export function required(condition: Sql): Sql {
  return sql`case when ${condition} then true else ${failure} end`
}

/** Is it the error of a required condition? Functions and triggers could imitate it, but their errors have a context. */
export function isFailedCheck(error: unknown): boolean {
  return (
    error instanceof DatabaseError &&
    error.code === '22P02' &&
    error.where === undefined &&
    error.message.includes('"engine: the check failed"')
  )
}
