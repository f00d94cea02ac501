import { expect, test } from 'vitest'
import { bindFailure, conditionFailure } from '../test-support/bind-for-test.ts'

const misplaced =
  'unsupported 0A000: pg_sleep() outside of the select list, VALUES and FROM, or in a subquery of an expression, is not supported'

test.for([
  ['pg_sleep(f)', 'unsupported 0A000: pg_sleep() of anything but a constant or a parameter'],
  ['pg_sleep(i::float8)', 'unsupported 0A000: pg_sleep() of anything but a constant'],
  ['pg_sleep((select 1))', 'unsupported 0A000: pg_sleep() of anything but a constant'],
  ['pg_sleep(case when b then 1 end)', 'unsupported 0A000: pg_sleep() of anything but a constant'],
  ['(select pg_sleep(1))', misplaced],
  ['exists (select pg_sleep(1) where b)', misplaced],
  ['array(select pg_sleep(1) from (values (i)) as v (x))', misplaced],
  ['count(*) filter (where pg_sleep(1) is null)', misplaced],
  ['pg_sleep(distinct 1)', '42809: DISTINCT specified'],
])('%s is refused', ([expression = '', failure]) => {
  expect(bindFailure(expression)).toContain(failure)
})

test.for([
  'pg_sleep(1) is null',
  'case when b then pg_sleep(1) end is null',
  '(select pg_sleep(1)) is null',
  'exists (select from pg_sleep(1))',
])('WHERE %s is refused: it could be called for rows that are hidden', (condition) => {
  expect(conditionFailure(condition)).toContain(misplaced)
})
