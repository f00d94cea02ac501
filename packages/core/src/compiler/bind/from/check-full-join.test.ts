import { describe, expect, test } from 'vitest'
import { shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

const message =
  '0A000 FULL JOIN is only supported with merge-joinable or hash-joinable join conditions'

function fullJoin(on: string, rest = ''): string {
  return `select 1 from main.orders a full join main.customers b on ${on} ${rest}`
}

describe('FULL JOIN is accepted', () => {
  test.each([
    'a.id = b.id',
    'true',
    'false',
    '1 = 2',
    '$1',
    'a.id = b.id and a.id > 1',
    'a.id = b.id + 1 and a.id < b.id',
    'b.id = a.id',
    'a.customer_id::bigint = b.id',
    '(a.id, a.status) = (b.id, b.name) and a.id > 1',
    'not a.id <> b.id',
    'not (a.id <> b.id or a.status <> b.name)',
    '(a.id = b.id) = true',
    'a.id in (b.id)',
    'a.id < b.id or true',
    '(a.id = b.id and a.status = b.name) or (a.id = b.id and a.status < b.name)',
    'a.id = (select max(c.id) from main.customers c where c.id = b.id)',
    "current_date = '2020-01-01'::timestamp",
  ])('on %s', (on) => {
    expect(shopText(fullJoin(on))).toContain('full join')
  })

  test('where the rest of the query may make less of it', () => {
    expect(shopText(fullJoin('a.id < b.id', 'where a.id = 1'))).toContain('full join')
    expect(shopText(fullJoin('a.id < b.id', 'where b.id is not null'))).toContain('full join')
    const joined = '(main.orders a full join main.customers b on a.id < b.id)'
    expect(shopText(`select 1 from ${joined} join main.notes n on n.id = a.id`)).toContain('full')
    expect(shopText(`select 1 from main.notes n left join ${joined} on n.id = a.id`)).toContain(
      'full',
    )
  })

  test('over dates and timestamps, if there is nothing else', () => {
    const join = (on: string) =>
      `select 1 from main.notes a full join (select now()::timestamp as at) b on ${on}`
    expect(shopText(join('a.day = b.at'))).toContain('full join')
    expect(shopText(join('a.day = b.at and false'))).toContain('full join')
    expect(shopFailure(join('a.day = b.at and a.id > 1'))).toBe(message)
  })
})

describe('FULL JOIN is refused, as by PostgreSQL', () => {
  test.each([
    'a.id < b.id',
    'a.id = b.id or a.status = b.name',
    'a.id = 1',
    'a.id = 1 and b.id = 1',
    'a.id + b.id = 2',
    'a.id = b.id + a.id',
    'a.id is not distinct from b.id',
    '(a.id = b.id) is true',
    'a.id in (b.id, 3)',
    'a.id = any(array[b.id])',
    'a.id between b.id and b.id',
    'row(a.id, a.status) < row(b.id, b.name)',
    'a.id = b.id + random()::int',
    'not a.id = b.id',
    'coalesce(a.id = b.id, false)',
    'exists (select 1 from main.notes)',
  ])('on %s', (on) => {
    expect(shopFailure(fullJoin(on))).toBe(message)
  })

  test('where the rest of the query needs it', () => {
    expect(shopFailure(fullJoin('a.id < b.id', 'where a.id is null'))).toBe(message)
    const joined = '(main.orders a full join main.customers b on a.id < b.id)'
    expect(shopFailure(`select 1 from ${joined} left join main.notes n on n.id = a.id`)).toBe(
      message,
    )
  })

  test('in a write', () => {
    const joined = '(main.orders a full join main.customers b on a.id < b.id)'
    expect(shopFailure(`update main.notes n set body = 'x' from ${joined}`)).toBe(message)
    expect(shopFailure(`delete from main.notes n using ${joined}`)).toBe(message)
  })
})
