import { expect, test } from 'vitest'
import { bindShop } from '../test-support/bind-shop-for-test.ts'
import { sameExpression } from './same-expression.ts'
import { sameValue } from './same-value.ts'

test('says of every pair what sameExpression says', () => {
  const outputs = [
    ...['id', 'o.id', 'total', 'id + 1', 'id  +  1', 'id + 2', '1 + id', 'id + 1.0', 'id + total'],
    ...['lower(status)', 'upper(status)', 'status', 'status::varchar(3)', 'status::varchar(4)'],
    ...[
      '$1::int',
      '$2::int',
      '1',
      "'1'",
      'null',
      'true',
      'not true',
      'id is null',
      'id is not null',
    ],
    ...['case when true then 1 end', 'case when false then 1 end', 'id in (1, 2)', 'id in (2, 1)'],
    ...['(select id)', '(select o.id)', '(select max(x.id) from main.notes x)', '(select 1)'],
    ...['(select max(y.id) from main.notes y)', 'exists (select 1)', 'id in (select 1)'],
    ...['(select max(y.id) from main.notes y) + 1', '(select max(z.id) from main.notes z) + 1'],
    ...['coalesce(id, 1)', 'greatest(id, 1)', 'least(id, 1)', 'array[1, id]', 'to_json(o)'],
    ...['sum(id) over ()', 'sum(id) over (order by id)', 'now()', 'current_timestamp'],
  ]
  const { body } = bindShop(`select ${outputs.join(', ')} from main.orders o`)
  const expressions = 'outputs' in body ? body.outputs : []
  const same: string[] = []
  for (const [i, left] of expressions.entries()) {
    for (const [j, right] of expressions.entries()) {
      expect(sameValue(left, right)).toBe(sameExpression(left, right))
      if (i < j && sameValue(left, right)) same.push(`${outputs[i]} = ${outputs[j]}`)
    }
  }
  expect(same).toEqual([
    'id = o.id',
    'id + 1 = id  +  1',
    '(select id) = (select o.id)',
    '(select max(x.id) from main.notes x) = (select max(y.id) from main.notes y)',
    '(select max(y.id) from main.notes y) + 1 = (select max(z.id) from main.notes z) + 1',
    'now() = current_timestamp',
  ])
})
