/** @module Questions to the system catalog that are about the user's tables. */

/** Does it depend on which tables there are? `select 1` does not. */
export function showsTables(sql: string): boolean {
  return /\bfrom\b|::\s*reg|\bto_reg/i.test(sql)
}
