/** @module Finds queries to the system catalog whose answer depends on the user's tables. */

/** Returns whether the answer depends on which tables exist. That of `select 1` does not. */
export function showsTables(sql: string): boolean {
  return /\bfrom\b|::\s*reg|\bto_reg/i.test(sql)
}
