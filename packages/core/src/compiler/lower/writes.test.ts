import { expect, test } from 'vitest'
import { loweredForTest } from './test-support/lowered-for-test.ts'

test('an update from rows that a key finds stays as it is', async () => {
  expect(await loweredForTest('update main.t set a = u.n from main.u where u.id = t.a')).toBe(
    'update set u1.n from u1 where (u1.id = t2.a)',
  )
})

test('an update from what may be several rows is guarded', async () => {
  expect(await loweredForTest('update main.t set a = u.n from main.u where u.t_id = t.id')).toBe(
    'update set u1.n from u1 where ((u1.t_id = t2.id) and single_row((select true from u3 where (u3.t_id = t2.id))))',
  )
})

test('an update whose source is only a condition becomes EXISTS', async () => {
  expect(await loweredForTest('update main.t set a = 1 from main.u where u.t_id = t.id')).toBe(
    'update set 1 where exists (select true from u1 where (u1.t_id = t2.id))',
  )
})

test('DELETE ... USING becomes EXISTS', async () => {
  expect(await loweredForTest('delete from main.t using main.u where u.t_id = t.id')).toBe(
    'delete where exists (select true from u1 where (u1.t_id = t2.id))',
  )
})

test('RETURNING looks up what USING found by its key', async () => {
  const sql = 'delete from main.t using main.u where u.id = t.a returning t.id, u.n'
  expect(await loweredForTest(sql)).toBe(
    'delete where exists (select true from u1 where (u1.id = t2.a)) ' +
      'returning t3.id, (select u4.n from u4 where (u4.id = t3.a))',
  )
  const several = loweredForTest(
    'delete from main.t using main.u where u.t_id = t.id returning t.id, u.n',
  )
  await expect(several).rejects.toMatchObject({ problem: 'unsupported' })
})

test('a WITH query that writes is refused', async () => {
  const statement = loweredForTest('with w as (delete from main.u returning id) select id from w')
  await expect(statement).rejects.toMatchObject({ problem: 'unsupported' })
})
