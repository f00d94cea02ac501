/**
 * Portable statements of the corpus that MariaDB refuses with a clear 400, because no equivalent SQL is known. The list
 * can only shrink: the test of a statement that is answered fails until it is removed here.
 */
export const refusedOnMysql: ReadonlySet<string> = new Set([
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
  'rewrites: union with the outer row',
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
])
