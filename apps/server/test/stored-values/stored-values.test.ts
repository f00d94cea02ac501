/**
 * Every type of a column, on every path in and on every path out: what Engine stores and answers is PostgreSQL's value. The bare
 * drivers read what is stored; PostgreSQL without Engine, over the same table, says what is right.
 */
import { mysqlVendors } from '@engine/test-databases'
import {
  createDatabase,
  describeMysql,
  describePostgres,
  mysqlOfRun,
} from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareMysql, barePostgres, bareSqlite } from './bare-databases.ts'
import { createMatrix, type Matrix } from './matrix.ts'
import { readPaths } from './read-paths.ts'
import type { BareDatabase } from './subject.ts'
import { copyPaths, writePaths } from './write-paths.ts'

const kinds: readonly {
  readonly name: string
  readonly describe: (name: string, tests: () => void) => void
  readonly open: () => Promise<BareDatabase>
}[] = [
  { name: 'PostgreSQL', describe: describePostgres, open: barePostgres },
  ...(['mariadb', 'mysql'] as const).map((vendor) => ({
    name: mysqlVendors[vendor].name,
    describe: (name: string, tests: () => void) => describeMysql(vendor, name, tests),
    open: () => bareMysql(mysqlOfRun(vendor)),
  })),
  { name: 'SQLite', describe, open: bareSqlite },
]

describePostgres('with PostgreSQL as the judge', () => {
  for (const { name, describe: describeKind, open } of kinds) {
    describeKind(`stored values on ${name}`, () => {
      let matrix: Matrix
      beforeAll(async () => {
        matrix = await createMatrix(await open(), await createDatabase('reference'))
      })
      afterAll(async () => matrix?.close())

      test('DEFAULT of the column, and the word DEFAULT', async () => {
        expect(await matrix.checkDefaults()).toEqual([])
      })

      test.each([...writePaths, ...copyPaths])('$name', async (path) => {
        expect(await matrix.checkWrites(path)).toEqual([])
      })

      test.each(writePaths)('$name: what a type cannot hold is refused', async (path) => {
        expect(await matrix.checkRefusals(path)).toEqual([])
      })

      test.each(readPaths)('$name', async (path) => {
        expect(await matrix.checkReads(path)).toEqual([])
      })

      test('no pair of a type and a path is missing', () => {
        expect(matrix.missing()).toEqual([])
      })
    })
  }
})
