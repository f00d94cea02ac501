/** @module Which tables and roles of the matrix are shown, as the address says. */
import { useLocation } from 'wouter'
import { useSearchText } from '../../shell/address.ts'
import type { PermissionMatrix } from './matrix-types.ts'

export interface MatrixFilter {
  /** Part of a table's name. */
  readonly search: string
  /** Empty: all roles. */
  readonly role: string
  /** Tables that no rule names are left out. */
  readonly isRuledOnly: boolean
}

export function useMatrixFilter(): {
  readonly filter: MatrixFilter
  readonly set: (filter: Partial<MatrixFilter>) => void
} {
  const [path, go] = useLocation()
  const query = new URLSearchParams(useSearchText())
  const filter: MatrixFilter = {
    search: query.get('search') ?? '',
    role: query.get('role') ?? '',
    isRuledOnly: query.get('tables') === 'with-rules',
  }
  const set = (changes: Partial<MatrixFilter>) => {
    const { search, role, isRuledOnly } = { ...filter, ...changes }
    const next = new URLSearchParams({
      ...(search === '' ? {} : { search }),
      ...(role === '' ? {} : { role }),
      ...(isRuledOnly ? { tables: 'with-rules' } : {}),
    })
    go(`${path}?${next}`, { replace: true })
  }
  return { filter, set }
}

/** Tables that match; with a role, those on which it has a rule. */
export function shownTables(
  { tables, entries }: Pick<PermissionMatrix, 'tables' | 'entries'>,
  { search, role, isRuledOnly }: MatrixFilter,
): readonly string[] {
  const part = search.toLowerCase()
  const ofRole = entries.filter((entry) => role === '' || entry.role === role)
  const ruled = new Set(ofRole.map(({ table }) => table))
  const isShown = (table: string) => (role === '' && !isRuledOnly) || ruled.has(table)
  return tables.filter((table) => table.toLowerCase().includes(part) && isShown(table))
}
