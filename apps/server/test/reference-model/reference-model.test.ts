/**
 * Random policies, callers, rows and statements, run on the engine and on a model of their meaning: answers and tables
 * are the same. `REFERENCE_MODEL_RUNS` makes it longer, `REFERENCE_MODEL_SEED` repeats a run.
 */
import { describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mysqlOpener, type OpenDatabase, openPostgres, openSqlite } from '../support/databases.ts'
import { createComparison, scenarioOf } from './compare.ts'
import { createTables, schema, schemaWithArrays } from './tables.ts'

const runs = Number(process.env['REFERENCE_MODEL_RUNS'] ?? 40)
const seed = Number(process.env['REFERENCE_MODEL_SEED'] ?? 1)

/** Enough scenarios have answers of every kind; otherwise the comparison proves little. */
const kinds = ['select', 'insert', 'update', 'delete'].flatMap((kind) => [
  `${kind} rows`,
  `${kind} refused`,
])

async function compare(open: OpenDatabase, tables: typeof schema, numRuns: number): Promise<void> {
  const database = await open(createTables(tables))
  const comparison = createComparison(database, tables)
  try {
    const property = fc.asyncProperty(scenarioOf(tables), async (scenario) => {
      expect(await comparison.difference(scenario)).toBeUndefined()
    })
    await fc.assert(property, { seed, numRuns })
    if (numRuns > 1_000) console.log(Object.fromEntries(comparison.tally))
    if (numRuns >= 40) {
      expect([...comparison.tally.keys()]).toEqual(expect.arrayContaining(kinds))
    }
  } finally {
    await comparison.close()
    await database.remove()
  }
}

/** Finding the smallest counterexample takes long. */
const timeout = 600_000 + runs * 5_000

describe(`engine and reference model agree, seed ${seed}`, () => {
  test('on SQLite', () => compare(openSqlite, schema, runs), timeout)
})
describePostgres(`engine and reference model agree on PostgreSQL, seed ${seed}`, () => {
  test(
    'arrays included',
    () => compare(openPostgres, schemaWithArrays, Math.ceil(runs / 4)),
    timeout,
  )
})
describeEachMysql(`engine and reference model agree, seed ${seed},`, (server) => {
  test('as on SQLite', () => compare(mysqlOpener(server), schema, Math.ceil(runs / 4)), timeout)
})
