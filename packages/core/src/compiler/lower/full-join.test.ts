import { expect, test } from 'vitest'
import { loweredForTest, withoutMuch } from './test-support/lowered-for-test.ts'

test('a full join is a left join and the rows of the right that nothing goes with', async () => {
  const lowered = await loweredForTest(
    'select t.id, u.n from main.t full join main.u on u.t_id = t.id',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select d1.c1, d1.c2 from ((select t2.id, u3.n from t2 left join u3 on (u3.t_id = t2.id)) union all (select null, u4.n from u4 where (not exists (select true from t5 where (u4.t_id = t5.id))))) d1',
  )
})

test('a whole row of a full join is NULL where it is made up', async () => {
  const lowered = await loweredForTest(
    'select to_json(u) from main.t full join main.u on u.t_id = t.id where t.a > 1',
    [],
    [],
    withoutMuch,
  )
  expect(lowered).toBe(
    'select to_json(d1.c1) from ((select case when (u2.id is not null) then row(u2.id, u2.t_id, u2.n, u2.code) end, t3.a from t3 left join u2 on (u2.t_id = t3.id)) union all (select row(u4.id, u4.t_id, u4.n, u4.code), null from u4 where (not exists (select true from t5 where (u4.t_id = t5.id))))) d1 where (d1.c2 > 1)',
  )
})
