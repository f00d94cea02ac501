/** Recorded queries that neither vendor has a faithful form for. */
const byBoth: readonly string[] = [
  'spelled-values: to_char beyond its places',
  'spelled-values: to_char of numbers',
  'subqueries: scalar in limit',
  'windows: range with an offset over nullable keys',
]

/** The lists can only shrink: a query that gets an answer makes its test fail until it is removed. */
export const refusedByMysql: Readonly<Record<'mariadb' | 'mysql', ReadonlySet<string>>> = {
  mariadb: new Set(byBoth),
  // JSON with numbers that MySQL's binary form does not keep: `1.50`.
  mysql: new Set([...byBoth, 'json-operators: text of every kind']),
}
