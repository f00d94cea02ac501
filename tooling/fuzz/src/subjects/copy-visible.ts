import type { World } from '../world/world.ts'
import type { DirectSubject } from './direct-subject.ts'

/** Where the copies are. */
export const copySchema = 'c'

/** Makes tables that hold what one caller sees and nothing else, in the place of those of another. */
export async function copyVisible(
  { client }: DirectSubject,
  { tables }: Pick<World, 'tables'>,
  viewSchema: string,
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select viewname as name from pg_views where schemaname = $1',
    [viewSchema],
  )
  const visible = tables.filter(({ name }) => rows.some((row) => row.name === name))
  const copies = visible.map(
    ({ name }) =>
      `create table ${copySchema}.${name} as select * from ${viewSchema}.${name}; analyze ${copySchema}.${name};`,
  )
  await client.query(
    `drop schema if exists ${copySchema} cascade; create schema ${copySchema}; ${copies.join(' ')}`,
  )
}
