import { describe, expect, test } from 'vitest'
import { everything, filterOf, type Group, treeOf } from './filter-tree.ts'

const condition = (left: string, operator: string, operand: unknown) => ({
  kind: 'condition' as const,
  left,
  operator,
  operand,
})

describe('a filter and its tree', () => {
  test.each([
    [{ status: 'paid' }],
    [{ customer_id: '$user.customer_id', status: 'new' }],
    [{ total: { $gte: 100, $lt: 200 } }],
    [{ status: { $in: ['new', 'paid'] } }],
    [{ notes: { $isNull: true } }],
    [{ created_at: { $gte: { $now: '-30d' } } }],
    [{ a: { $col: 'b' } }],
    [{ a: { $literal: '$user.x' } }],
    [{ $or: [{ a: 1 }, { $and: [{ b: 2 }, { b: 3 }] }] }],
    [{ $not: { a: 1, b: 2 } }],
    [{ $nor: [{ a: 1 }, { b: 2 }] }],
    [{ '$user.level': { $gte: 3 } }],
    [{ customer: { city: 'Oslo' } }],
    [{ orders: { $some: { open: true } }, a: 1 }],
    [{ $exists: { table: 'main.members', where: { team_id: { $outer: 'team_id' } } } }],
    [{ status: { $not: { $in: ['draft'] } } }],
    [{ $or: [{ a: 1, b: 2 }, { c: { $ne: 3 } }], d: true }],
    [{ a: { $eq: null } }],
  ])('%j comes back as it was', (filter) => {
    expect(filterOf(treeOf(filter))).toEqual(filter)
  })

  test('without conditions there is no filter', () => {
    expect(filterOf(everything)).toBeUndefined()
    expect(treeOf(undefined)).toEqual(everything)
    expect(filterOf(treeOf({}))).toBeUndefined()
  })

  test('operators of one column are conditions of their own', () => {
    expect(treeOf({ total: { $gte: 1, $lt: 2 } }).items).toEqual([
      condition('total', '$gte', 1),
      condition('total', '$lt', 2),
    ])
  })

  test('two conditions with the same operator on a column become a list', () => {
    const group: Group = {
      kind: 'group',
      join: '$and',
      items: [condition('a', '$eq', 1), condition('a', '$eq', 2)],
    }
    expect(filterOf(group)).toEqual({ $and: [{ a: 1 }, { a: 2 }] })
  })

  test('relations stay as they are written', () => {
    expect(treeOf({ customer: { city: 'Oslo' } }).items).toEqual([
      { kind: 'written', filter: { customer: { city: 'Oslo' } } },
    ])
  })

  test('two groups beside each other are kept', () => {
    const filter = { $and: [{ $or: [{ a: 1 }, { b: 1 }] }, { $or: [{ c: 1 }, { d: 1 }] }] }
    expect(filterOf(treeOf(filter))).toEqual(filter)
  })
})
