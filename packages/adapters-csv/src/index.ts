/** @module Serves directories of CSV files: each file is a table. Start at `csvAdapter`. */
export { connect, csvAdapter } from './adapter.ts'
export type { CsvAdapterOptions, CsvOptions, CsvTableOptions } from './options.ts'
