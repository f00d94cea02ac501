/** @module The options of a directory of CSV files. */
import type { AdapterOptions, Log } from '@engine/core/adapter'
import { z } from 'zod'

/** The files of a connection, and how they are read. */
export interface CsvOptions {
  /** Each `*.csv` and `*.tsv` in it is a table; the table has the name of the file without its extension. */
  readonly directory: string
  /** Options by table name. */
  readonly tables?: Readonly<Record<string, CsvTableOptions>> | undefined
  /** Allows inserting, updating and deleting rows: every write rewrites the whole file. Default false. */
  readonly writable?: boolean | undefined
  /**
   * What happens to a row that cannot be read, such as one with too few values. `fail` (default): the table is missing,
   * and the log has the number of the invalid line. `skip`: the row is left out and counted in the log.
   */
  readonly onError?: 'fail' | 'skip' | undefined
  /**
   * `inferred` (default): all values of a column determine its type, and which column is the key. `declared`: only
   * `tables` determines them; every other column is a text.
   */
  readonly types?: 'declared' | 'inferred' | undefined
}

/** Options of one file. */
export interface CsvTableOptions {
  /** The primary key; by default a column that looks like a key. */
  readonly key?: string | readonly string[] | undefined
  /** Types by column, where the values do not determine them: `{ zip: 'text', price: 'numeric(10,2)' }`. */
  readonly types?: Readonly<Record<string, string>> | undefined
  /** The delimiter between values; detected by default. */
  readonly delimiter?: string | undefined
  /** The first line has the names of the columns; detected by default. */
  readonly header?: boolean | undefined
}

/** Options of `csvAdapter`. */
export interface CsvAdapterOptions extends CsvOptions {
  /** Used in messages and logs. */
  readonly name?: string
  /** `max`: maximum number of threads that read at the same time. */
  readonly pool?: { readonly max?: number | undefined }
  readonly log?: Log
  /** `readOnly` of the connection: takes precedence over `writable`. */
  readonly isReadOnly?: boolean
}

declare module '@engine/core' {
  interface DirectoryConnection {
    /** By table name. */
    readonly tables?: Readonly<Record<string, CsvTableOptions>> | undefined
    /** Rows may be written: every write replaces the file of the table. Default false. */
    readonly writable?: boolean
    /** The effect of an unreadable row: with `fail` (default) the table is not available, with `skip` the row is left out. */
    readonly onError?: 'fail' | 'skip'
  }
}

const name = z.string().min(1)

const tableOptions = z.strictObject({
  key: z.union([name, z.array(name).min(1)]).optional(),
  types: z.record(name, name).optional(),
  delimiter: name.regex(/^[^"\r\n]*$/, 'has neither quotes nor line ends').optional(),
  header: z.boolean().optional(),
})

/** The options of a connection that only a directory of CSV files has. */
export const ownOptions: AdapterOptions<Pick<CsvOptions, 'tables' | 'writable' | 'onError'>> =
  z.strictObject({
    tables: z.record(name, tableOptions).optional(),
    writable: z.boolean().optional(),
    onError: z.enum(['fail', 'skip']).optional(),
  })
