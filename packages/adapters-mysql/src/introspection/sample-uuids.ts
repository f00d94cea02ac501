/** @module Are the texts in a CHAR(36) UUIDs? The type alone does not show it. */
import type { MysqlSession } from '../driver/session.ts'
import type { ColumnRow, RelationRow } from './catalog-queries.ts'

/** The number of rows sampled per column. */
const sampleSize = 1_000

const pattern = '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$'

/**
 * The columns of type CHAR(36), by `uuidKey`: true for those that contain only UUIDs. Views are not sampled: that may take long.
 *
 * @param isAsked false for columns whose type is already known.
 */
export async function sampleUuids(
  session: MysqlSession,
  schema: string,
  relations: readonly RelationRow[],
  columns: ReadonlyMap<string, readonly ColumnRow[]>,
  isAsked: (column: ColumnRow) => boolean,
): Promise<ReadonlyMap<string, boolean>> {
  const found = new Map<string, boolean>()
  for (const relation of relations) {
    if (relation.kind !== 'table') continue
    for (const asked of columns.get(relation.name) ?? []) {
      if (!isChar36(asked) || !isAsked(asked)) continue
      const { table, name } = asked
      const column = quoted(name)
      const [row] = await session.rows(
        `select count(*) from (
           select ${column} as c from ${quoted(schema)}.${quoted(table)}
           where ${column} is not null limit ${sampleSize}
         ) as sample where not (c regexp ?)`,
        [pattern],
      )
      found.set(uuidKey(asked), Number(row?.[0]) === 0)
    }
  }
  return found
}

/** The names of the table and of the column, both with their length: unique for each column. */
export function uuidKey({ table, name }: Pick<ColumnRow, 'table' | 'name'>): string {
  return JSON.stringify([table, name])
}

export function isChar36({ dataType, length }: Pick<ColumnRow, 'dataType' | 'length'>): boolean {
  return dataType === 'char' && length === 36
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``
}
