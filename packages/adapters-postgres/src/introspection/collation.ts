/** Locales of the C library that order text by its code points, in lower case. */
export const codePointCollations: readonly string[] = ['c', 'posix', 'c.utf-8', 'c.utf8']

/**
 * The default collation of columns: undefined when it is the order of code points.
 *
 * @param database a row of pg_database as JSON, of any version
 */
export function databaseCollation(database: Readonly<Record<string, unknown>>): string | undefined {
  const provider = database['datlocprovider']
  if (provider === 'b') return undefined
  const locale =
    provider === 'i' ? (database['datlocale'] ?? database['daticulocale']) : database['datcollate']
  if (typeof locale !== 'string') return undefined
  const isByCodePoint = provider !== 'i' && codePointCollations.includes(locale.toLowerCase())
  return isByCodePoint ? undefined : locale
}
