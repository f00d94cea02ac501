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

test('an INSERT may write several parts of a column', () => {
  const { body } = bindShop(
    'insert into main.products (id, tags[2], tags[1:1]) values ($1, $2, $3)',
  )
  expect(body).toMatchObject({
    parts: [undefined, [{ kind: 'index' }], [{ kind: 'slice' }]],
    source: { rows: [[{ type: { oid: 23 } }, { type: { oid: 23 } }, { type: { oid: 1007 } }]] },
  })
  expect('columns' in body && body.columns[1]).toBe('columns' in body && body.columns[2])
})

describe('refused', () => {
  test.each([
    ['tags[id] = 1', '0A000'],
    ['tags[1 + 1] = 1', '0A000'],
    ['tags.x = 1', '42804 cannot assign to field "x" of column "tags"'],
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

  test.each([
    ['(tags[1], tags) values (1, null)', '42701 column "tags" specified more than once'],
    ['(tags, tags[1]) values (null, 1)', '42701'],
    ['(tags[1]) values (default)', '0A000 DEFAULT for a part of a column'],
    ["(tags[1]) values ('x')", '22P02'],
    ['(tags[1]) select true', '42804'],
    ['(tags[id]) values (1)', '42703'],
    ['(name.x) values (1)', '42804 cannot assign to field "x" of column "name"'],
  ])('insert into products %s', (insert, failure) => {
    expect(shopFailure(`insert into main.products ${insert}`)).toContain(failure)
  })
})
