/**
 * @module From what PostgreSQL can say to what other databases can say, on the bound tree: for adapters of databases that
 * lack some of it.
 */

export type { LoweringDialect } from './lower/dialect.ts'
export { rowLimit, rowsOfQuery, singleRow } from './lower/internal-functions.ts'
export { hasPart } from './lower/level.ts'
export { lowerStatement } from './lower/lower-statement.ts'
export { type Recursion, recursionOf } from './lower/recursion.ts'
export { usedColumns } from './lower/used-columns.ts'
