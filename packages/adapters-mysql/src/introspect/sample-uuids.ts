/** @module Are the texts in a CHAR(36) UUIDs? The type alone does not say. */
import type { MysqlSession } from '../driver/session.ts'
import type { ColumnRow, RelationRow } from './catalog-queries.ts'

/** Rows that are looked at, per column. */
const sampleSize = 1_000

const pattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

/**
 * The columns of type CHAR(36) that hold nothing but UUIDs, each as JSON of table and column. Views are not asked: they may
 * take long.
 */
export async function sampleUuids(
  session: MysqlSession,
  schema: string,
  relations: readonly RelationRow[],
  columns: ReadonlyMap<string, readonly ColumnRow[]>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const relation of relations) {
    if (relation.kind !== 'table') continue
    for (const { table, name, dataType, length } of columns.get(relation.name) ?? []) {
      if (dataType !== 'char' || length !== 36) continue
      const column = quoted(name)
      const [row] = await session.rows(
        `select count(*) from (
           select ${column} as c from ${quoted(schema)}.${quoted(table)}
           where ${column} is not null limit ${sampleSize}
         ) as sample where not (c regexp ?)`,
        [pattern],
      )
      if (Number(row?.[0]) === 0) found.add(JSON.stringify([table, name]))
    }
  }
  return found
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
