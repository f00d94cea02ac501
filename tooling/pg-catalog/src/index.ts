/** @module Generates tables of types, functions, operators and casts from a real PostgreSQL. */
export { type CatalogRecords, readCatalog } from './read-catalog.ts'
export { writeModules } from './write-rows.ts'
