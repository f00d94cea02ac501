/** @module What statements become when their names and types are known: `testdata/*.txt`. */
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textsOf } from '../test-support/statement-texts.ts'
import { shopText } from './test-support/bind-shop-for-test.ts'

const folder = join(import.meta.dirname, 'testdata')

test.each(globSync('*.txt', { cwd: folder }))('statements are bound as %s says', async (file) => {
  const path = join(folder, file)
  await expect(await textsOf(path, (sql) => shopText(sql))).toMatchFileSnapshot(path)
})
