import { expect, test } from 'vitest'
import { compiledForTest, mySql } from '../test-support/compiled-for-test.ts'

test('a value of an ENUM is stored by its number, which only its own text has', async () => {
  expect(
    await compiledForTest(`insert into main.odd (mood) values ($1)`, { params: ['a'] }),
  ).toEqual([
    'affected: insert into `shop`.`odd` (`mood`) values (find_in_set((? collate utf8mb4_nopad_bin), ?))',
  ])
})

test('a YEAR that would get a century is refused', async () => {
  const [step] = await compiledForTest('update main.odd set born = $1', { params: [24] })
  expect(step).toContain(
    'case when cast(? as signed) between 1 and 99 then (9223372036854775807 + 10000) else cast(? as signed) end',
  )
})

test('MariaDB is not given a text of a temporary table that is longer than its column', async () => {
  const sql = 'insert into main.odd (long_text) select name from main.item'
  const guard = 'octet_length(t5.c1) > 65535'
  expect((await compiledForTest(sql)).join()).toContain(guard)
  expect((await compiledForTest(sql, { flavor: mySql })).join()).not.toContain('octet_length')
  const given = `insert into main.odd (long_text) values ($1)`
  expect((await compiledForTest(given, { params: ['x'] })).join()).not.toContain('octet_length')
})
