import { oids } from '@engine/core/catalog'
import type { Expression, FromItem, Query, SelectQuery } from '@engine/core/tree'
import { describe, expect, test } from 'vitest'
import {
  aggregate,
  bool,
  call,
  callerField,
  column,
  constant,
  customers,
  int4,
  narrowed,
  operation,
  orders,
  param,
  printed,
  select,
  sources,
  statement,
  tableOf,
  text,
  typeOf,
  whole,
} from '../../test/support/trees.ts'
import { compileStatement } from '../compile.ts'

const id = column(1, 0)
const tenant = operation('=', column(101, 1), callerField('tenant'))

describe('tables', () => {
  test('that are seen whole stand by their name', () => {
    expect(printed(select([id, column(1, 2, text)], [whole(orders, 1)]))).toBe(
      'select t1."id", t1."note" from "public"."orders" as t1',
    )
  })

  test('with a filter export only the columns that are used', () => {
    const secured = narrowed(orders, 1, { filter: tenant })

    expect(
      printed(
        select([column(1, 2, text)], [secured], { where: operation('=', id, constant('7')) }),
      ),
    ).toBe(
      'select t1.c3 from (select t101."id" as c1, t101."note" as c3 from "public"."orders" as t101 where (t101."tenant" = $1::pg_catalog.int4)) as t1 where (t1.c1 = $2::pg_catalog.int4)',
    )
  })

  test('with masks give a cell only where its condition is true', () => {
    const secured = narrowed(orders, 1, { masks: new Map([[2, tenant]]) })

    expect(printed(select([column(1, 2, text)], [secured]))).toBe(
      'select t1.c3 from (select case when (t101."tenant" = $1::pg_catalog.int4) then t101."note" end as c3 from "public"."orders" as t101) as t1',
    )
  })

  test('with a barrier evaluate the filter and pushed conditions first', () => {
    const pushed = operation('=', column(101, 0), param(0))
    const secured = narrowed(orders, 1, { filter: tenant, pushed: [pushed], barrier: true })

    expect(printed(select([id], [secured]))).toBe(
      'select t1.c1 from (select t101."id" as c1 from "public"."orders" as t101 where (t101."tenant" = $1::pg_catalog.int4) and (t101."id" = $2::pg_catalog.int4) offset 0) as t1',
    )
  })

  test('of which no column is used still have rows', () => {
    const count = select([aggregate('count')], [narrowed(orders, 1, { filter: tenant })], {
      isAggregated: true,
    })

    expect(printed(count)).toBe(
      'select pg_catalog.count(*) from (select from "public"."orders" as t101 where (t101."tenant" = $1::pg_catalog.int4)) as t1',
    )
  })

  test('never give a column that is not readable', () => {
    const bare = narrowed(orders, 1, { readable: new Set([0]) })
    const filtered = narrowed(orders, 1, { readable: new Set([0]), filter: tenant })

    for (const item of [bare, filtered]) {
      expect(() => printed(select([column(1, 1)], [item]))).toThrow(
        expect.objectContaining({ problem: 'internal' }),
      )
    }
  })

  test('that were not authorized are refused', () => {
    expect(() => printed(select([id], [{ kind: 'table', id: 1, table: orders }]))).toThrow(
      expect.objectContaining({ problem: 'internal' }),
    )
  })
})

describe('FROM', () => {
  const on = operation('=', column(1, 1), column(2, 0))

  test('joins nest', () => {
    const inner = {
      kind: 'join',
      type: 'left',
      left: whole(customers, 2),
      right: whole(customers, 3),
      on,
    } as const
    const right = { kind: 'join', type: 'inner', left: whole(orders, 1), right: inner, on } as const
    const left = {
      kind: 'join',
      type: 'cross',
      left: right,
      right: whole(customers, 4),
      on: undefined,
    } as const

    expect(printed(select([id], [left]))).toBe(
      'select t1."id" from "public"."orders" as t1 join ("public"."customers" as t2 left join "public"."customers" as t3 on (t1."tenant" = t2."id")) on (t1."tenant" = t2."id") cross join "public"."customers" as t4',
    )
  })

  test('derived tables name their columns', () => {
    const inner = select([column(2, 0), column(2, 1, text)], [whole(customers, 2)])

    expect(
      printed(
        select(
          [column(3, 1, text)],
          [whole(orders, 1), { kind: 'subquery', id: 3, query: inner, lateral: true }],
        ),
      ),
    ).toBe(
      'select t3.c2 from "public"."orders" as t1, lateral (select t2."id", t2."name" from "public"."customers" as t2) as t3(c1, c2)',
    )
  })

  test('functions name their columns', () => {
    const series = call('generate_series', constant('1'), constant('3'))

    expect(
      printed(
        select(
          [column(1, 1)],
          [
            {
              kind: 'function',
              id: 1,
              call: series,
              columns: [
                { name: 'n', type: int4 },
                { name: 'ordinality', type: typeOf(oids.int8) },
              ],
              withOrdinality: true,
            },
          ],
        ),
      ),
    ).toBe(
      'select t1.c2 from pg_catalog.generate_series($1::pg_catalog.int4, $2::pg_catalog.int4) with ordinality as t1(c1, c2)',
    )
  })

  test('several arrays are unnested side by side', () => {
    const unnest = call('unnest', constant(['1'], typeOf(oids.int4Array)))
    const arrays = constant(['a'], typeOf(oids.textArray))
    const both = { ...unnest, args: 'args' in unnest ? [...unnest.args, arrays] : [] } as Expression
    const item: FromItem = {
      kind: 'function',
      id: 1,
      call: both,
      columns: [
        { name: 'a', type: int4 },
        { name: 'b', type: text },
      ],
      withOrdinality: false,
    }

    expect(printed(select([column(1, 1, text)], [item]))).toBe(
      'select t1.c2 from rows from (pg_catalog.unnest($1::pg_catalog._int4), pg_catalog.unnest($2::pg_catalog._text)) as t1(c1, c2)',
    )
  })

  test('a call that is not a function is a table of one row', () => {
    expect(
      printed(
        select(
          [column(1, 0)],
          [
            {
              kind: 'function',
              id: 1,
              call: { kind: 'coalesce', args: [constant('1')], type: int4 },
              columns: [{ name: 'coalesce', type: int4 }],
              withOrdinality: false,
            },
          ],
        ),
      ),
    ).toBe('select t1.c1 from lateral (select coalesce($1::pg_catalog.int4)) as t1(c1)')
  })
})

describe('WITH', () => {
  const inner = select([column(2, 0)], [whole(customers, 2)])

  test('queries are named by the printer', () => {
    const query = select([column(5, 0)], [{ kind: 'cte', id: 5, cte: 4, columns: inner.columns }], {
      ctes: [
        { id: 4, columns: inner.columns, query: inner, isRecursive: false, materialized: false },
      ],
    })

    expect(printed(query)).toBe(
      'with q4(c1) as not materialized (select t2."id" from "public"."customers" as t2) select t5.c1 from q4 as t5',
    )
  })

  test('may be recursive', () => {
    const columns = [{ name: 'n', type: int4 }]
    const seed = select([constant('1')])
    const next = select(
      [operation('+', column(6, 0), constant('1'))],
      [{ kind: 'cte', id: 6, cte: 4, columns }],
    )
    const union: Query = {
      kind: 'setOperation',
      operator: 'union',
      all: true,
      left: seed,
      right: next,
      ctes: [],
      columns,
      orderBy: [],
      limit: undefined,
      offset: undefined,
    }
    const query = select([column(5, 0)], [{ kind: 'cte', id: 5, cte: 4, columns }], {
      ctes: [{ id: 4, columns, query: union, isRecursive: true, materialized: undefined }],
    })

    expect(printed(query)).toBe(
      'with recursive q4(c1) as ((select $1::pg_catalog.int4) union all (select (t6.c1 + $1::pg_catalog.int4) from q4 as t6)) select t5.c1 from q4 as t5',
    )
  })
})

describe('order and limits', () => {
  const by = (expression: Expression, descending = false, nullsFirst = descending) => ({
    orderBy: [{ expression, descending, nullsFirst }],
  })
  const limited = (rest: Partial<SelectQuery>) => {
    const query = select([id], [whole(orders, 1)], rest)
    return printed(query).slice('select t1."id" from "public"."orders" as t1 '.length)
  }

  test.each([
    [by(id), 'order by t1."id"'],
    [by(id, true), 'order by t1."id" desc'],
    [by(id, false, true), 'order by t1."id" nulls first'],
    [by(id, true, false), 'order by t1."id" desc nulls last'],
    [by({ kind: 'output', index: 0, type: int4 }), 'order by 1'],
    [by(constant('true', bool)), 'order by true::pg_catalog.bool'],
  ])('%#: %s', (rest, sql) => {
    expect(limited(rest)).toBe(sql)
  })

  const int8 = typeOf(oids.int8)
  test.each([
    [{ count: constant('5', int8), max: undefined }, 'limit $1::pg_catalog.int8'],
    [{ count: undefined, max: 100 }, 'limit 100'],
    [{ count: param(0, int8), max: undefined }, 'limit $1::pg_catalog.int8'],
    [
      { count: operation('+', param(0, int8), constant('1', int8)), max: 100 },
      'limit least(($1::pg_catalog.int8 + $2::pg_catalog.int8), 100)',
    ],
  ])('limit %#: %s', (limit, sql) => {
    expect(limited({ limit: { ...limit, withTies: false } })).toBe(sql)
  })

  test.each([
    ['5', '5'],
    ['100', '100'],
    ['101', '100'],
    ['9223372036854775807', '100'],
    ['-1', '-1'],
    [null, '100'],
  ])('a limit of %s under 100 is %s', (count, value) => {
    const limit = { count: constant(count, int8), max: 100, withTies: false }

    expect(sources(select([id], [whole(orders, 1)], { limit }))).toMatchObject([{ value }])
  })

  test('a parameter is lowered when its value is known', () => {
    const limit = { count: param(2, int8), max: 100, withTies: false }

    expect(sources(select([id], [whole(orders, 1)], { limit }))).toEqual([
      { from: 'clampedLimit', index: 2, max: 100 },
    ])
  })

  test('ties come along', () => {
    expect(
      limited({
        ...by(id),
        limit: { count: constant('2', int8), max: undefined, withTies: true },
        offset: constant('1', int8),
      }),
    ).toBe(
      'order by t1."id" fetch first ($1::pg_catalog.int8) rows with ties offset $2::pg_catalog.int8',
    )
  })

  test('rows are locked', () => {
    expect(limited({ locking: [{ strength: 'noKeyUpdate', relations: [1], wait: 'skip' }] })).toBe(
      'for no key update of t1 skip locked',
    )
  })
})

describe('grouping', () => {
  const note = column(1, 2, text)
  const grouped = (expressions: readonly Expression[], sets: readonly (readonly number[])[]) => ({
    groupBy: { expressions, sets },
    isAggregated: true,
  })

  test('by expressions and sets of them', () => {
    const grouping: Expression = { kind: 'grouping', expressions: [1], type: int4 }

    expect(printed(select([id], [whole(orders, 1)], grouped([id], [[0]])))).toBe(
      'select t1."id" from "public"."orders" as t1 group by t1."id"',
    )
    expect(
      printed(select([grouping], [whole(orders, 1)], grouped([id, note], [[0, 1], [0], []]))),
    ).toBe(
      'select grouping(t1."note") from "public"."orders" as t1 group by grouping sets ((t1."id", t1."note"), (t1."id"), ())',
    )
    expect(printed(select([], [whole(orders, 1)], grouped([], [[]])))).toBe(
      'select from "public"."orders" as t1 group by grouping sets (())',
    )
  })

  test('of a derived table has no columns but its own', () => {
    const secured = narrowed(orders, 1, { filter: tenant })
    const lower = call('lower', note)

    expect(printed(select([lower], [secured], grouped([lower], [[0]])))).toContain(
      'group by pg_catalog.lower(t1.c3)',
    )
  })

  test('refuses json beside the key of a derived table, which PostgreSQL does not know to depend on it', () => {
    const notes = tableOf('notes', { id: int4, body: typeOf(oids.json) })
    const query = (item: Parameters<typeof select>[1]) =>
      printed(select([id, column(1, 1, typeOf(oids.json))], item, grouped([id], [[0]])))

    expect(query([whole(notes, 1)])).toContain('group by t1."id"')
    expect(() => query([narrowed(notes, 1, { filter: tenant })])).toThrow(
      /ungrouped column of type json/,
    )
  })

  test('HAVING and DISTINCT have their places', () => {
    expect(
      printed(
        select([id], [whole(orders, 1)], {
          ...grouped([id], [[0]]),
          distinct: 'all',
          having: operation('>', aggregate('count'), constant('1', typeOf(oids.int8))),
        }),
      ),
    ).toBe(
      'select distinct t1."id" from "public"."orders" as t1 group by t1."id" having (pg_catalog.count(*) > $1::pg_catalog.int8)',
    )
    expect(printed(select([id], [whole(orders, 1)], { distinct: { on: [note] } }))).toBe(
      'select distinct on (t1."note") t1."id" from "public"."orders" as t1',
    )
  })
})

test('set operations keep their parentheses', () => {
  const one = select([constant('1')])
  const operate = (left: Query, operator: 'union' | 'except', right: Query): Query => ({
    kind: 'setOperation',
    operator,
    all: false,
    left,
    right,
    ctes: [],
    columns: one.columns,
    orderBy: [
      {
        expression: { kind: 'output', index: 0, type: int4 },
        descending: false,
        nullsFirst: false,
      },
    ],
    limit: undefined,
    offset: undefined,
  })

  expect(printed(operate(one, 'except', operate(one, 'union', one)))).toBe(
    '(select $1::pg_catalog.int4) except ((select $1::pg_catalog.int4) union (select $1::pg_catalog.int4) order by 1) order by 1',
  )
})

test('more values than the protocol can count are refused', () => {
  const values: Query = {
    kind: 'values',
    rows: Array.from({ length: 65_536 }, (_, index) => [constant(String(index))]),
    columns: [],
    ctes: [],
    orderBy: [],
    limit: undefined,
    offset: undefined,
  }

  expect(() => printed(values)).toThrow(expect.objectContaining({ problem: 'limitExceeded' }))
})

test('VALUES are a query', () => {
  expect(
    printed({
      kind: 'values',
      rows: [[constant('1'), constant(null, text)]],
      columns: [],
      ctes: [],
      orderBy: [],
      limit: undefined,
      offset: undefined,
    }),
  ).toBe('values ($1::pg_catalog.int4, null::pg_catalog.text)')
})

test('a query is one step whose columns keep the names of the client', () => {
  const compiled = compileStatement(statement(select([id], [whole(orders, 1)])))

  expect(compiled).toMatchObject({
    steps: [{ yields: 'result', checkColumn: undefined, visibleColumn: undefined }],
    needsTransaction: false,
    isWrite: false,
    columns: [{ name: 'column 0', type: int4 }],
  })
})
