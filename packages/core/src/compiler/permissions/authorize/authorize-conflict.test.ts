import { describe, expect, test } from 'vitest'
import { refusal, secured } from '../test-support/authorize-for-test.ts'

const table = 'main.orders'
const mine = { tenant: '$user.tenant' }
const isMine = (row: string) => `(${row}.tenant = $user.tenant)`
const upsert =
  'insert into main.orders (id, status) values ($1, $2) on conflict (id) do update set status = excluded.status'

const allowed = {
  table,
  roles: ['r'],
  select: { where: mine },
  insert: { check: { status: { $ne: 'x' } } },
  update: { where: { status: 'new' }, check: { status: { $ne: 'y' } } },
}

test('an upsert satisfies the checks of both, on rows that may be seen and changed', () => {
  expect(secured(upsert, { allowed })).toBe(
    [
      'insert orders (id, status) values ($1, $2) on conflict do update set status = excluded.status',
      `existing (${isMine('old')} and (old.status = new))`,
      'check ((new.status <> x) and (new.status <> y))',
    ].join('\n'),
  )
})

test('restrict holds for the row that is there', () => {
  const text = secured(upsert, { allowed: { ...allowed, restrict: { notes: 'n' } } })
  expect(text).toContain(`existing (${isMine('old')} and (old.notes = n) and (old.status = new))`)
})

describe('needs', () => {
  test('both rights', () => {
    const { update: _, ...inserting } = allowed
    const { insert: __, ...updating } = allowed
    expect(refusal(upsert, { inserting })).toMatchObject({ details: { operation: 'update' } })
    expect(refusal(upsert, { updating })).toMatchObject({ details: { operation: 'insert' } })
  })
  test('a key that can be read', () => {
    const hidden = { ...allowed, select: { columns: ['status'], where: mine } }
    expect(refusal(upsert, { hidden })).toMatchObject({ status: 403 })
    const { select: _, ...unread } = allowed
    expect(refusal(upsert, { unread })).toMatchObject({ status: 403 })
    expect(
      refusal('insert into main.orders (id) values (1) on conflict do nothing', { unread }),
    ).toMatchObject({ details: { operation: 'select' } })
    expect(
      refusal('insert into main.orders (id) values (1) on conflict (code) do nothing', {
        hidden: { ...allowed, select: { columns: ['id'] } },
      }),
    ).toMatchObject({ problem: 'columnDenied' })
  })
  test('columns that UPDATE may set', () => {
    const narrow = { ...allowed, update: { ...allowed.update, columns: ['notes'] } }
    expect(refusal(upsert, { narrow })).toMatchObject({ details: { operation: 'update' } })
  })
})

test('SET and WHERE see the masked cells of the row that is there', () => {
  const text = secured(`${upsert}, notes = orders.notes where orders.total > 5`, {
    allowed,
    listed: { table, roles: ['r'], select: { columns: ['id', 'status'] } },
  })
  expect(text).toContain(`notes = case when ${isMine('old')} then old.notes end`)
  expect(text).toContain(`where (case when ${isMine('old')} then old.total end > 5)`)
})

test('what is not readable is unknown to SET, WHERE and excluded', () => {
  const narrow = { ...allowed, select: { columns: ['id', 'status'], where: mine } }
  for (const clause of [
    ', notes = excluded.notes',
    ', notes = orders.notes',
    ' where orders.notes is null',
    ' where excluded.notes is null',
  ]) {
    expect(refusal(upsert + clause, { narrow })).toMatchObject({ problem: 'columnDenied' })
  }
})

test('of several permissions with different rows one must cover the row before and the row after', () => {
  const other = { table, roles: ['r'], update: { where: { status: 'old' } } }
  expect(secured(upsert, { allowed, other })).toBe(
    [
      'insert orders (id, status) values ($1, $2) on conflict do update set status = excluded.status',
      `existing (${isMine('old')} and ((old.status = new) or (old.status = old)))`,
      'old0 (old.status = new)',
      'old1 (old.status = old)',
      'check ((new.status <> x) and ((old0 and (new.status <> y)) or (old1 and (new.status = old))))',
    ].join('\n'),
  )
  const all = { table, roles: ['r'], update: {} }
  expect(secured(upsert, { allowed, all })).toContain(`existing ${isMine('old')}\n`)
})

test('DO NOTHING checks what it stores', () => {
  const text = secured('insert into main.orders (id) values (1) on conflict do nothing', {
    allowed,
  })
  expect(text).toBe('insert orders (id) values (1) on conflict do nothing\ncheck (new.status <> x)')
})
