/** @module What can be said about a directory of CSV files. */

export interface CsvOptions {
  /** Each `*.csv` and `*.tsv` in it is a table; the table is called as the file, without the ending. */
  readonly directory: string
  /** By table name. */
  readonly tables?: Readonly<Record<string, CsvTableOptions>> | undefined
  /** Rows may be inserted, updated and deleted: the file is written anew with every write. Default false. */
  readonly writable?: boolean | undefined
  /**
   * What a row does that cannot be read, such as one with too few values. `fail` (default): the table is not there, and the log
   * says which line is wrong. `skip`: the row is left out and counted in the log.
   */
  readonly onError?: 'fail' | 'skip' | undefined
  /**
   * `inferred` (default): all values of a column together say its type, and which column identifies the rows. `declared`: only
   * `tables` says it; every other column is a text.
   */
  readonly types?: 'declared' | 'inferred' | undefined
}

export interface CsvTableOptions {
  /** The primary key; by default a column that looks like one. */
  readonly key?: string | readonly string[] | undefined
  /** Types by column, for those where the values do not say it: `{ zip: 'text', price: 'numeric(10,2)' }`. */
  readonly types?: Readonly<Record<string, string>> | undefined
  /** Between values; found out by default. */
  readonly delimiter?: string | undefined
  /** The first line has the names of the columns; found out by default. */
  readonly header?: boolean | undefined
}
