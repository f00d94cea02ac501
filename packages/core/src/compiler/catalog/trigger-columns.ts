/** @module Which columns a trigger may change before a row is stored, as far as its source shows. */

/** `new.total`, `NEW . "Total"`, `` new.`total` ``: the column's name is in one of the groups. */
const newCell = /\bnew\s*\.\s*(?:"([^"]+)"|`([^`]+)`|([\p{L}_][\p{L}\p{N}_$]*))/giu

/**
 * Columns of the new row that the body of a trigger mentions: it changes no other. A column that is only read, or mentioned in a
 * comment or literal, counts as changed, too.
 *
 * @param body in PL/pgSQL, or in the procedural SQL of MySQL and MariaDB.
 * @param columns of the table. Names in the body are compared without regard to case.
 * @returns `all` when the body may replace the whole new row.
 */
export function triggerColumns(
  body: string,
  columns: readonly string[],
): 'all' | readonly string[] {
  const named = new Set<string>()
  for (const [, quoted, ticked, plain] of body.matchAll(newCell)) {
    named.add((quoted ?? ticked ?? plain ?? '').toLowerCase())
  }
  const rest = body.replaceAll(newCell, '').replaceAll(/\breturn\s+(?:new|null)\b/giu, '')
  if (/\bnew\b|\breturn\b/iu.test(rest)) return 'all'
  return columns.filter((column) => named.has(column.toLowerCase()))
}
