import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('a LIMIT of rows found by their key is a condition', async () => {
  const lowered = await loweredForTest(
    'select json_build_array(q.id) from (select * from main.t where id = 1 limit $1) q',
    [1],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select json_build_array(d1.c1) from (select t2.id, t2.a from t2 where ((t2.id = 1) and (engine_row_limit($1, false) > 0))) d1',
  )
})
