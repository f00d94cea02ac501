/** @module Messages to the thread that loads files, and its answers. */
import type { FileFormat } from '../format/file-format.ts'
import type { ColumnType } from '../types/column-type.ts'

/** A file that is to become a table. */
export interface LoadJob {
  readonly table: string
  readonly path: string
  readonly delimiter: string | undefined
  readonly header: boolean | undefined
  /** By column, in words of `namedType`. */
  readonly types: Readonly<Record<string, string>>
  /** What `types` and `key` leave out is found out from the values. Otherwise such a column is a text, and there is no key. */
  readonly infersTypes: boolean
  readonly key: readonly string[] | undefined
  readonly skipsFaults: boolean
  /** Remembers every record as it is written, so that a write leaves the others as they are. */
  readonly keepsText: boolean
}

export interface LoaderSetup {
  /** The SQLite database that serves the tables. */
  readonly database: string
  /** A path beside it, where nothing is. */
  readonly staging: string
  /** Tables whose files are gone. */
  readonly dropped: readonly string[]
  readonly jobs: readonly LoadJob[]
}

export interface LoadedTable {
  readonly table: string
  readonly path: string
  readonly signature: FileSignature
  readonly format: FileFormat
  readonly columns: readonly LoadedColumn[]
  /** Empty where nothing serves as one. */
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
  /** The values said so. */
  readonly isInferred: boolean
  readonly spelling: Spelling
}

/** How a file spells booleans, and the separator of date and time. */
export interface Spelling {
  readonly true: string
  readonly false: string
  readonly separator: string
}

/** Differs when a file was changed. */
export type FileSignature = string

export interface LoadFailure {
  readonly table: string
  readonly path: string
  /** Of the file that could not be loaded. */
  readonly signature: FileSignature
  readonly reason: string
  /** What is in the file is wrong, or what the options say of it. */
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
