/**
 * Portable statements of the corpus that MariaDB refuses with a clear 400, because no faithful form is known. The list can
 * only shrink: a statement that is answered makes its test fail until it is taken out.
 */
export const refusedOnMysql: ReadonlySet<string> = new Set([])
