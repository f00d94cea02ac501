/** @module Indexes that are not keys: clients see them in the catalog, the adapter does not use them. */
import type { PlainIndexFacts } from './schema-facts.ts'

export interface PlainIndexRow {
  readonly index: string
  /** An expression has no name. */
  readonly name: string | null
}

/** `?` is the table; rows in the order of index and column. */
export const plainIndexesQuery = `
  select i.name as "index", c.name
  from pragma_index_list(?) i, pragma_index_xinfo(i.name) c
  where i."unique" = 0 and i.partial = 0 and c.key = 1
  order by i.seq desc, c.seqno`

/** Indexes of the rows of `plainIndexesQuery`; those on expressions are left out. */
export function plainIndexesOf(rows: readonly PlainIndexRow[]): readonly PlainIndexFacts[] {
  return [...Map.groupBy(rows, ({ index }) => index)].flatMap(([name, parts]) => {
    const columns = parts.flatMap((part) => (part.name === null ? [] : [part.name]))
    return columns.length === parts.length ? [{ name, columns }] : []
  })
}
