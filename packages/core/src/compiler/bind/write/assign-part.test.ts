import { describe, expect, test } from 'vitest'
import { bindShop, shopFailure } from '../test-support/bind-shop-for-test.ts'
import type { UpdateWrite } from '../tree/bound-query.ts'

const assignmentsOf = (set: string) =>
  (bindShop(`update main.products set ${set}`).body as UpdateWrite).assignments

test('an element of an array has the type of the elements', () => {
  expect(assignmentsOf('tags[2] = $1, tags[$2] = 1.6, tags[1:2] = $3')).toMatchObject([
    {
      part: [{ kind: 'index', index: { kind: 'constant', value: '2' } }],
      value: { kind: 'parameter', type: { oid: 23 } },
    },
    { part: [{ kind: 'index', index: { kind: 'parameter', type: { oid: 23 } } }] },
    { part: [{ kind: 'slice' }], value: { kind: 'parameter', type: { oid: 1007 } } },
  ])
})

test('a member of a document is a document', () => {
  expect(assignmentsOf("extra['a'][0][$1] = $2")).toMatchObject([
    {
      part: [
        { index: { value: 'a', type: { oid: 25 } } },
        { index: { value: '0', type: { oid: 23 } } },
        { index: { kind: 'parameter', type: { oid: 25 } } },
      ],
      value: { type: { oid: 3802 } },
    },
  ])
})

describe('refused', () => {
  test.each([
    ['tags[id] = 1', '0A000'],
    ['tags[1 + 1] = 1', '0A000'],
    ['tags.x = 1', '0A000'],
    ['name[1] = 1', '42804'],
    ['tags[1] = default', '0A000'],
    ["tags[1] = 'x'", '22P02'],
    ["extra['a':'b'] = '1'", '0A000'],
    ['tags[1] = 1, tags = null', '42601 multiple assignments'],
    ['tags = null, tags[1] = 1', '42601 multiple assignments'],
    ['(tags[1], name) = (1, 2)', '0A000'],
    ['nope[1] = 1', '42703'],
  ])('%s', (set, failure) => {
    expect(shopFailure(`update main.products set ${set}`)).toContain(failure)
  })

  test('in INSERT and ON CONFLICT', () => {
    expect(shopFailure('insert into main.products (tags[1]) values (1)')).toContain('0A000')
    expect(
      shopFailure(
        'insert into main.products (id) values (1) on conflict (id) do update set tags[1] = 1',
      ),
    ).toMatch(/0A000|42P10/)
  })
})
