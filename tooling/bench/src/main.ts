/** @module Prints what our own work costs, and how a request compares with a hand-written handler. `pnpm bench`. */
import { createBenchDatabase } from './bench-database.ts'
import { compareLoads } from './load/compare-loads.ts'
import { measureOwnWork } from './micro/measure-own-work.ts'

const [only] = process.argv.slice(2)
const database = await createBenchDatabase()
try {
  if (only !== 'load') await measureOwnWork(database.url)
  if (only !== 'micro') await compareLoads(database.url)
} finally {
  await database.stop()
}
