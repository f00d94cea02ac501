/** @module Messages to the thread that loads files, and its answers. */
import type { FileFormat } from '../format/file-format.ts'
import type { ColumnType } from '../types/column-type.ts'

/** A file that will be loaded as a table. */
export interface LoadJob {
  readonly table: string
  readonly path: string
  readonly delimiter: string | undefined
  readonly header: boolean | undefined
  /** By column, in the names of `namedType`. */
  readonly types: Readonly<Record<string, string>>
  /**
   * Types and key that are not given are inferred from the values. Otherwise such a column is a text, and there is no
   * key.
   */
  readonly infersTypes: boolean
  readonly key: readonly string[] | undefined
  readonly skipsFaults: boolean
  /** Stores every record exactly as written, so that a write does not change the others. */
  readonly keepsText: boolean
}

export interface LoaderSetup {
  /** The SQLite database that serves the tables. */
  readonly database: string
  /** A path next to it that does not exist. */
  readonly staging: string
  /** Tables whose files no longer exist. */
  readonly dropped: readonly string[]
  readonly jobs: readonly LoadJob[]
}

export interface LoadedTable {
  readonly table: string
  readonly path: string
  readonly signature: FileSignature
  readonly format: FileFormat
  readonly columns: readonly LoadedColumn[]
  /** Empty where no column can be the key. */
  readonly key: readonly string[]
  readonly rowCount: number
  /** Rows that could not be read. */
  readonly skippedCount: number
  /** The first of them. */
  readonly firstFault: string | undefined
}

export interface LoadedColumn {
  readonly name: string
  readonly type: ColumnType
  /** The type was inferred from the values. */
  readonly isInferred: boolean
  readonly spelling: Spelling
}

/** How a file spells booleans, and the separator of date and time. */
export interface Spelling {
  readonly true: string
  readonly false: string
  readonly separator: string
}

/** Changes when a file changes. */
export type FileSignature = string

export interface LoadFailure {
  readonly table: string
  readonly path: string
  /** Signature of the file that could not be loaded. */
  readonly signature: FileSignature
  readonly reason: string
  /** The content of the file, or the options for it, are wrong. */
  readonly isOfFile: boolean
}

export type LoaderMessage =
  | { readonly kind: 'loaded'; readonly loaded: LoadedTable }
  | { readonly kind: 'failed'; readonly failure: LoadFailure }
  /** The file changed while it was read. */
  | { readonly kind: 'changed'; readonly table: string; readonly path: string }
  | {
      readonly kind: 'progress'
      readonly table: string
      readonly bytes: number
      readonly totalBytes: number
    }
  | { readonly kind: 'done' }
