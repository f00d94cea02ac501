/**
 * Every type of a column, on every path in and on every path out: what Engine stores and answers is PostgreSQL's value. The bare
 * drivers read what is stored; PostgreSQL without Engine, over the same table, says what is right.
 */
import { createDatabase, describeEachMysql, describePostgres } from '@engine/test-databases/vitest'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bareMysql, barePostgres, bareSqlite } from './bare-databases.ts'
import { createMatrix, type Matrix } from './matrix.ts'
import { readPaths } from './read-paths.ts'
import type { BareDatabase } from './subject.ts'
import { copyPaths, writePaths } from './write-paths.ts'

function storedValueTests(open: () => Promise<BareDatabase>): void {
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
}

describePostgres('with PostgreSQL as the judge', () => {
  describe('stored values on PostgreSQL', () => storedValueTests(barePostgres))
  describe('stored values on SQLite', () => storedValueTests(bareSqlite))
  describeEachMysql('stored values', (server) => storedValueTests(() => bareMysql(server)))
})
