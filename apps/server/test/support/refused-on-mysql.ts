/** Portable statements of the corpus that neither vendor has an equivalent for. */
const onBoth: readonly string[] = [
  'ctes: recursive with limit outside',
  'json-constructors: json_object from texts',
  'json-operators: array elements',
  'json-operators: jsonb_set',
  'numbers: div and gcd',
  'numbers: logarithms',
  'numbers: power',
  'numbers: sqrt',
  'numbers: width_bucket',
  'parameters: substring and lengths',
  'set-operations: jsonb',
  'spelled-values: to_char beyond its places',
  'spelled-values: to_char of numbers',
  'strings: quote functions',
  'subqueries: scalar in limit',
  'upsert: on conflict on constraint',
  'windows: exclude',
  'windows: groups frame',
  'windows: range with an offset over nullable keys',
  'windows: string_agg over a window',
]

/**
 * Portable statements of the corpus that a vendor refuses with a clear 400, because no equivalent SQL is known. The lists
 * can only shrink: the test of a statement that is answered fails until it is removed here.
 */
export const refusedOnMysql: Readonly<Record<'mariadb' | 'mysql', ReadonlySet<string>>> = {
  mariadb: new Set([...onBoth, 'rewrites: union with the outer row']),
  // JSON with numbers that MySQL's binary form does not keep: `1.50`.
  mysql: new Set([
    ...onBoth,
    'casts: jsonb to scalars',
    'insert: every column',
    'json-operators: text of every kind',
  ]),
}
