/** @module Tables that have rows of others: partitions, and tables that inherit. */
import { type IntrospectedPartition, isSelected, type TableSelection } from '@engine/core/adapter'
import type { InheritanceRow } from './catalog-queries.ts'
import { ruledWrites } from './view-writes.ts'

interface AddressedPartition {
  readonly oid: string
  readonly schema: string
  readonly name: string
  readonly address: string
  readonly root: string
  readonly rowType: string
  readonly rowArray: string
  readonly columns: readonly string[]
  readonly hasRowSecurity: boolean
}

/**
 * Those whose partitioned table is shown, and which the selection does not leave out.
 *
 * @param parts `relations`: the shown tables, by oid. `ruled`: see `TableRuleRow.ruled`, by oid.
 */
export function introspectedPartitions(
  partitions: readonly AddressedPartition[],
  parts: {
    readonly relations: ReadonlyMap<string, { readonly address: string }>
    readonly ruled: ReadonlyMap<string, number>
  },
  selection: TableSelection,
): readonly IntrospectedPartition[] {
  return partitions.flatMap((partition): readonly IntrospectedPartition[] => {
    const { oid, schema, name, address, root, rowType, rowArray, columns, hasRowSecurity } =
      partition
    const table = parts.relations.get(root)?.address
    if (table === undefined || !isSelected(address, selection)) return []
    return [
      {
        schema,
        name: address,
        nativeName: name,
        table,
        oid,
        oids: { table: Number(oid), rowType: Number(rowType), rowArray: Number(rowArray) },
        columns,
        hasRowSecurity: hasRowSecurity || undefined,
        ruledWrites: ruledWrites(parts.ruled.get(oid)),
      },
    ]
  })
}

/** By oid: the same text for all tables that inherit from each other, directly or not. */
export function familiesOf(rows: readonly InheritanceRow[]): ReadonlyMap<string, string> {
  const members = new Map<string, Set<string>>()
  for (const { child, parent } of rows) {
    const family = (members.get(child) ?? new Set([child])).union(
      members.get(parent) ?? new Set([parent]),
    )
    for (const each of family) members.set(each, family)
  }
  return new Map([...members].map(([oid, family]) => [oid, `inheritance ${[...family].join()}`]))
}
