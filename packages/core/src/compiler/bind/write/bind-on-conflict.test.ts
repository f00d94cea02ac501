import { describe, expect, test } from 'vitest'
import { shopFailure, shopText } from '../test-support/bind-shop-for-test.ts'

/** The part after the row in the bound text. */
function conflict(clause: string): string {
  const text = shopText(`insert into main.customers (id) values (1) ${clause}`)
  return text.slice(text.indexOf('on conflict'))
}

describe('the target', () => {
  test('is a key of the table, in any order', () => {
    expect(conflict('on conflict (id) do nothing')).toBe('on conflict (id) do nothing')
    expect(conflict('on conflict (email) do nothing')).toBe('on conflict (email) do nothing')
    expect(
      shopText(
        'insert into main.products (name) values (null) on conflict (weight, name) do nothing',
      ),
    ).toContain('on conflict (weight, name)')
  })

  test('may be left out of DO NOTHING', () => {
    expect(conflict('on conflict do nothing')).toBe('on conflict do nothing')
    expect(
      shopFailure('insert into main.customers (id) values (1) on conflict do update set id = 1'),
    ).toContain('42601')
  })

  test.each([
    '(name)',
    '(id, email)',
    '(nope)',
    '(lower(name))',
    'on constraint x',
    '(name) where id > 1',
    '(id) where nope > 1',
  ])('%s is refused', (target) => {
    expect(
      shopFailure(`insert into main.customers (id) values (1) on conflict ${target} do nothing`),
    ).toMatch(/^(42P10|42703|42704|0A000)/)
  })

  test('may say which rows a key is over: a key over all rows fits', () => {
    const key = conflict('on conflict (id) do nothing')
    expect(conflict('on conflict (id) where id > 1 do nothing')).toBe(key)
  })

  test('may be a constraint of the key', () => {
    const key = conflict('on conflict (id) do nothing')
    expect(conflict('on conflict on constraint customers_pkey do nothing')).toBe(key)
  })
})

describe('DO UPDATE', () => {
  test('knows the existing and the proposed row', () => {
    expect(
      conflict(
        'on conflict (id) do update set name = excluded.name, city = main.customers.city, (email, active) = ($1, default) where customers.id > excluded.id returning id',
      ),
    ).toBe(
      'on conflict (id) do update x3 set name = x3.name, city = old_customers1.city, email = $1:character varying, active = default where (>(int4,int4) old_customers1.id x3.id) returning new_customers2.id as id'.replace(
        '$1:character varying',
        '(implicit character_varying(20)/length $1:character_varying)',
      ),
    )
  })

  test('does not know which of the two a lonely name means', () => {
    expect(
      shopFailure('insert into main.notes (id) values (1) on conflict (id) do update set id = 1'),
    ).toContain('42P10')
    expect(
      shopFailure(
        'insert into main.customers (id) values (1) on conflict (id) do update set name = city',
      ),
    ).toContain('42702 column reference "city" is ambiguous')
  })

  test.each([
    ['set nope = 1', '42703'],
    ["set name = 'a', name = 'b'", '42601 multiple assignments to same column "name"'],
    ['set id = true', '42804'],
    ['set name = count(*)', '42803'],
    ["set name = 'x' where excluded.name", '42804'],
    ['set name = nope.name', '42P01'],
  ])('%s', (set, failure) => {
    expect(
      shopFailure(`insert into main.customers (id) values (1) on conflict (id) do update ${set}`),
    ).toContain(failure)
  })

  test('an alias hides the name of the table', () => {
    const insert = 'insert into main.customers as c (id) values (1) on conflict (id) do update'
    expect(shopText(`${insert} set name = c.name returning c.id`)).toContain(
      'name = old_customers1.name returning new_customers2.id',
    )
    expect(shopFailure(`${insert} set name = customers.name`)).toContain('42P01')
    expect(shopFailure(`${insert} set name = main.customers.name`)).toContain('42P01')
  })

  test('cannot set what the database computes', () => {
    expect(
      shopFailure(
        'insert into main.machine (n) values (1) on conflict (id) do update set doubled = 1',
      ),
    ).toContain('428C9')
  })
})
