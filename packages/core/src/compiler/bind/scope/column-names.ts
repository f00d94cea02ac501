import type { Table } from '../../catalog/catalog.ts'

/** Names of the columns with these ordinals, in the order of the table. */
export function columnNames(
  { columns }: Table,
  ordinals: 'all' | ReadonlySet<number>,
): readonly string[] {
  return columns
    .filter(({ ordinal }) => ordinals === 'all' || ordinals.has(ordinal))
    .map(({ name }) => name)
}
