/** @module Serves directories of CSV files: each file is a table. Start at `csvAdapter`. */
export { type CsvAdapterOptions, connect, csvAdapter } from './csv-adapter.ts'
export type { CsvOptions, CsvTableOptions } from './csv-options.ts'
