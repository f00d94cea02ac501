/** @module What a path writes. */
import type { StoredType } from './stored-type.ts'

export interface StoredColumn {
  /** `c7` in the table `v`, and in `s` a wider type. */
  readonly name: string
  readonly type: StoredType
}

export interface WrittenRow {
  readonly id: number
  readonly values: readonly string[]
}

export interface Written {
  readonly columns: readonly StoredColumn[]
  readonly rows: readonly WrittenRow[]
}
