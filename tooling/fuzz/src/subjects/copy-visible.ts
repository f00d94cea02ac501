import type { World } from '../world/world.ts'
import type { DirectSubject } from './direct-subject.ts'

/** Schema of the copies. */
export const copySchema = 'c'

export interface CopyOptions {
  /** False: planners estimate the number of rows, as they do for new tables. */
  readonly isAnalysed: boolean
}

/** Creates tables that contain only what one caller sees, and replaces those of another caller. */
export async function copyVisible(
  { client }: DirectSubject,
  { tables }: Pick<World, 'tables'>,
  viewSchema: string,
  { isAnalysed }: CopyOptions = { isAnalysed: true },
): Promise<void> {
  const { rows: views } = await client.query<{ name: string; columns: readonly string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = $1::regnamespace and c.relkind = 'v' and a.attnum > 0 group by 1`,
    [viewSchema],
  )
  const copies = tables.flatMap(({ name, columns }) => {
    const view = views.find((each) => each.name === name)
    if (view === undefined) return []
    // The CASE of a cell loses the maximum length of its value.
    const cells = columns
      .filter((column) => view.columns.includes(column.name))
      .map((column) => `${column.name}::${column.stored}`)
    const place = `${copySchema}.${name}`
    // Rows that a join removes are not even read where their key is looked up.
    const hasKey = view.columns.includes('id')
    return [
      `create table ${place} as select ${cells.join(', ')} from ${viewSchema}.${name};`,
      hasKey ? `create index on ${place} (id);` : '',
      isAnalysed ? `analyze ${place};` : '',
    ]
  })
  await client.query(
    `drop schema if exists ${copySchema} cascade; create schema ${copySchema}; ${copies.join(' ')}`,
  )
}
