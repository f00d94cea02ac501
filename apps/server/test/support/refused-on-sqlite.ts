/**
 * Portable statements of the corpus that SQLite refuses with a clear 400, because no equivalent SQL is known. The list
 * can only shrink: the test of a statement that is answered fails until it is removed here.
 */
export const refusedOnSqlite: ReadonlySet<string> = new Set([
  'numbers: sqrt',
  'parameters: substring and lengths',
  'upsert: on conflict on constraint',
])
