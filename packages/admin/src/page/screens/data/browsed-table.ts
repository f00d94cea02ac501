import type { Catalog, CatalogTable } from '@engine/contract/admin-api'
import type { Subject } from '../subject/subject.ts'

/** A table whose rows are shown, and as whom. */
export interface BrowsedTable {
  readonly catalog: Catalog
  readonly connection: string
  readonly name: string
  readonly table: CatalogTable
  readonly subject: Subject
  /** The part of the address after `?`. */
  readonly search: string
}
