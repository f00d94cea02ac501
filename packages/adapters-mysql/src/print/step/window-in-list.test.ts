import { expect, test } from 'vitest'
import { hasWindowInList } from './window-in-list.ts'

test.each([
  "select 1 from json_table(json_array(sum(a) over (order by b), 1), '$[*]' columns (c int path '$')) as t",
  "select 1 from json_table(last_value(?) over (partition by a), '$' columns (c int path '$')) as t",
])('%s is found', (text) => {
  expect(hasWindowInList(text)).toBe(true)
})

test.each([
  "select sum(a) over (order by b) from json_table(?, '$[*]' columns (c int path '$')) as t",
  "select 1 from json_table((select json_arrayagg(d.x) from (select row_number() over () as x) as d), '$[*]' columns (c int path '$')) as t",
  "select `a over (` from json_table(json_array(`b over (`), '$[*]' columns (c int path '$')) as t",
])('%s is harmless', (text) => {
  expect(hasWindowInList(text)).toBe(false)
})
