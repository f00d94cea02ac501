import { describe, expect, test } from 'vitest'
import type { World, WorldColumn, WorldTable } from '../world/world.ts'
import { filterSql } from './filter-sql.ts'
import { truthsOf } from './filter-truths.ts'

const int = (name: string): WorldColumn => ({
  name,
  stored: 'int4',
  type: 'int4',
  isNullable: true,
  default: undefined,
})
const t1: WorldTable = {
  name: 't1',
  columns: [int('id'), int('k')],
  unique: undefined,
  foreignKeys: [],
}
const t2: WorldTable = {
  name: 't2',
  columns: [int('id'), int('r1')],
  unique: undefined,
  foreignKeys: [{ column: 'r1', table: 't1', onDelete: undefined }],
}
const world: Pick<World, 'tables'> = { tables: [t1, t2] }
const fields = { level: 2 }
const sqlOf = (filter: unknown, table = t1): string =>
  filterSql(filter, {
    world,
    table,
    row: 'b',
    outer: undefined,
    fields,
    relation: (name) => `main.${name}`,
  })

describe('the meaning of a filter', () => {
  test.each([
    [{}, 'true'],
    [{ k: 1, id: { $gt: 2 } }, "((b.k = '1'::int4) and ((b.id > '2'::int4)))"],
    [{ $or: [] }, '(false)'],
    [{ k: { $in: [] } }, '((false))'],
    [{ k: '$user.level' }, "((b.k = '2'::int4))"],
    [{ k: '$user.none' }, '(null::bool)'],
    [{ k: { $col: 'id' } }, '((b.k = b.id))'],
  ])('%j', (filter, sql) => {
    expect(sqlOf(filter)).toBe(sql)
  })

  test('a relation looks at rows that belong together', () => {
    expect(sqlOf({ one_r1: { k: 1 } }, t2)).toBe(
      "((exists (select 1 from main.t1 br where b.r1 = br.id and ((br.k = '1'::int4)))))",
    )
  })

  test('no conclusion is drawn from the absence of rows where the caller lacks a field', () => {
    expect(sqlOf({ many_t2_r1: { $none: { r1: '$user.none' } } })).toContain('case when exists')
  })

  test('what no row can satisfy without a field is unknown, over no rows, too', () => {
    const every = (filter: unknown) => sqlOf({ many_t2_r1: { $every: filter } })
    expect(every({ id: 1, r1: '$user.none' })).toBe('((null::bool))')
    expect(every({ $exists: { table: 'main.t1', where: { k: { $nin: '$user.none' } } } })).toBe(
      '((null::bool))',
    )
    expect(every({ $or: [{ id: 1 }, { r1: '$user.none' }] })).toContain('else true end')
    expect(every({ $or: [] })).toContain('not exists')
  })
})

describe('what a filter can be', () => {
  test.each([
    [{}, [true]],
    [{ k: 1 }, [true, false, null]],
    [{ k: '$user.none' }, [null]],
    [{ $not: { k: '$user.none' } }, [null]],
    [{ $or: [{ k: '$user.none' }, {}] }, [true]],
    [{ k: { $in: [] } }, [false]],
    [{ one_r1: { k: '$user.none' } }, [null]],
    [{ many_t2_r1: { $every: { k: 1 } } }, [true, false, null]],
    [{ many_t2_r1: { $every: {} } }, [true]],
    [{ many_t2_r1: { $every: { $or: [] } } }, [true, false]],
    [{ many_t2_r1: { $every: { id: 1, k: '$user.none' } } }, [null]],
    [{ many_t2_r1: { $every: { $or: [{ id: 1 }, { k: '$user.none' }] } } }, [true, false, null]],
    [{ k: { $between: [{ $literal: '$user.x' }, 3] } }, [true, false, null]],
  ])('%j', (filter, truths) => {
    expect([...truthsOf(filter, fields)].map(String).sort()).toEqual(truths.map(String).sort())
  })
})
