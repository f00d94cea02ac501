/** @module The matrix of permissions in the form that the screen reads: by table and role. */
import type { MatrixEntry, PermissionMatrix } from './matrix-types.ts'

export const operations = ['select', 'insert', 'update', 'delete'] as const

export type Operation = (typeof operations)[number]

/** `full`: every row and column. `partial`: some of them. */
export type Extent = 'full' | 'partial' | 'none'

export interface CellAccess {
  readonly entries: readonly MatrixEntry[]
  readonly extents: Readonly<Record<Operation, Extent>>
}

/** Access by table and role; a pair without any is absent. */
export function accessByCell(matrix: PermissionMatrix): ReadonlyMap<string, CellAccess> {
  const columns = columnCounts(matrix.entries)
  const grouped = Map.groupBy(matrix.entries, ({ table, role }) => cellKey(table, role))
  return new Map(
    [...grouped].map(([key, entries]) => {
      const extents = Object.fromEntries(
        operations.map((operation) => [
          operation,
          extentOf(
            entries.find((entry) => entry.operation === operation),
            columns.get(entries[0]?.table ?? '') ?? 0,
          ),
        ]),
      ) as Record<Operation, Extent>
      return [key, { entries, extents }]
    }),
  )
}

export function cellKey(table: string, role: string): string {
  return JSON.stringify([table, role])
}

/** The other direction. */
export function cellOf(key: string): { readonly table: string; readonly role: string } {
  const [table = '', role = ''] = JSON.parse(key) as readonly string[]
  return { table, role }
}

/** By table: the largest number of columns that any role has in any grant. */
function columnCounts(entries: readonly MatrixEntry[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { table, grants } of entries) {
    for (const { columns } of grants) {
      const count = Array.isArray(columns) ? columns.length : 0
      counts.set(table, Math.max(count, counts.get(table) ?? 0))
    }
  }
  return counts
}

function extentOf(entry: MatrixEntry | undefined, columnCount: number): Extent {
  if (entry === undefined) return 'none'
  const isWhole = entry.grants.some(
    ({ where, check, columns, limit, aggregate, presets }) =>
      where === undefined &&
      check === undefined &&
      limit === undefined &&
      aggregate === undefined &&
      presets === undefined &&
      (columns === undefined || columns === '*' || columns.length >= columnCount),
  )
  return isWhole && entry.restrict.length === 0 && entry.masked.length === 0 ? 'full' : 'partial'
}

/** What one grant allows, as a sentence. */
export function sentenceOf(
  { operation, restrict, masked }: MatrixEntry,
  grant: MatrixEntry['grants'][number],
): string {
  const verbs = { select: 'read', insert: 'insert', update: 'change', delete: 'delete' }
  const { columns, where, check, presets, limit } = grant
  const list = Array.isArray(columns) ? columns.join(', ') : undefined
  const parts = [
    `May ${verbs[operation]} ${operation === 'insert' ? 'rows' : where === undefined ? 'every row' : `rows where ${where}`}`,
    ...(list === undefined ? [] : [`with the columns ${list}`]),
    ...(presets === undefined
      ? []
      : [
          `sets ${Object.entries(presets)
            .map(([column, value]) => `${column} to ${value}`)
            .join(' and ')}`,
        ]),
    ...(check === undefined ? [] : [`each stored row must satisfy ${check}`]),
    ...(limit === undefined ? [] : [`at most ${limit} rows at a time`]),
    ...(grant.aggregate === false ? ['without aggregates'] : []),
    ...restrict.map((condition) => `restricted to ${condition}`),
    ...masked.map(({ column, visibleWhen }) => `${column} is NULL unless ${visibleWhen}`),
  ]
  return `${parts.join('; ')}.`
}
