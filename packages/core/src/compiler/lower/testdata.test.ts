/** @module What statements become for databases that lack a construct: `testdata/*.txt`. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textsOf } from '../test-support/statement-texts.ts'
import { loweredForTest, withoutLateral, withoutMuch } from './test-support/lowered-for-test.ts'

const dialects = new Map(
  [withoutLateral, withoutMuch].map((dialect) => [dialect.database, dialect]),
)

const folder = join(import.meta.dirname, 'testdata')

test.each(globSync('*.txt', { cwd: folder }))('statements are lowered as %s says', async (file) => {
  const path = join(folder, file)
  const texts = await textsOf(path, (sql, { dialect: name = 'SQLite' }) => {
    const dialect = dialects.get(name)
    expect(dialect, name).toBeDefined()
    return loweredForTest(sql, [], [], dialect)
  })
  await expect(texts).toMatchFileSnapshot(path)
})
