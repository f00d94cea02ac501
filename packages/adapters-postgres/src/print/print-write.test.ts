import type {
  DeleteWrite,
  Expression,
  InsertWrite,
  OnConflict,
  Query,
  UpdateWrite,
  Write,
  WriteSecurity,
} from '@engine/core/tree'
import { describe, expect, test } from 'vitest'
import {
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
  printed,
  select,
  statement,
  tableOf,
  text,
  unrestricted,
  whole,
} from '../../test/support/trees.ts'
import { compileStatement } from '../compile.ts'

// The row before is relation 1 (raw: 101), the stored row relation 2, the proposed row relation 3.
const target = { table: orders, oldRow: 1, newRow: 2 }
const isOwn = (relation: number) => operation('=', column(relation, 1), callerField('tenant'))
const returning = (...outputs: readonly Expression[]) => ({
  outputs,
  columns: outputs.map(({ type }, index) => ({ name: `column ${index}`, type })),
})
const note = constant('x', text)
/** A condition that fails the statement. */
const required = (condition: string) =>
  `case when ${condition} then true else pg_catalog.concat('engine: the check failed')::pg_catalog.bool end`

function insert(rest: Partial<InsertWrite> = {}): InsertWrite {
  return {
    kind: 'insert',
    ctes: [],
    target,
    columns: [0, 2],
    source: { kind: 'values', rows: [[constant('1'), note]] },
    onConflict: undefined,
    overriding: undefined,
    returning: undefined,
    security: unrestricted,
    ...rest,
  }
}

function update(security: Partial<WriteSecurity>, rest: Partial<UpdateWrite> = {}): UpdateWrite {
  return {
    kind: 'update',
    ctes: [],
    target,
    assignments: [{ column: 2, value: note }],
    from: [],
    where: operation('=', column(1, 0), constant('7')),
    returning: undefined,
    security: { ...unrestricted, rows: whole(orders, 1), ...security },
    ...rest,
  }
}

function remove(security: Partial<WriteSecurity>, rest: Partial<DeleteWrite> = {}): DeleteWrite {
  return {
    kind: 'delete',
    ctes: [],
    target,
    using: [],
    where: undefined,
    returning: undefined,
    security: { ...unrestricted, rows: whole(orders, 1), ...security },
    ...rest,
  }
}

describe('INSERT', () => {
  const head = 'insert into "public"."orders" as t2'

  test('takes rows, defaults and queries', () => {
    expect(printed(insert())).toBe(
      `${head} ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text)`,
    )
    expect(
      printed(
        insert({
          source: { kind: 'values', rows: [[constant('1'), { kind: 'default' }]] },
          overriding: 'system',
        }),
      ),
    ).toBe(`${head} ("id", "note") overriding system value values ($1::pg_catalog.int4, default)`)
    expect(printed(insert({ columns: [], source: { kind: 'defaults' } }))).toBe(
      `${head} default values`,
    )
    const query = select([column(5, 0), column(5, 1, text)], [whole(customers, 5)])
    expect(printed(insert({ source: { kind: 'query', query } }))).toBe(
      `${head} ("id", "note") select t5."id", t5."name" from "public"."customers" as t5`,
    )
  })

  test('returns stored rows', () => {
    const write = insert({ returning: returning(column(2, 0), call('upper', column(2, 2, text))) })

    expect(printed(write)).toBe(
      `${head} ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text) returning t2."id", pg_catalog.upper(t2."note")`,
    )
    expect(compileStatement(statement(write))).toMatchObject({
      steps: [{ yields: 'result', checkColumn: undefined }],
      isWrite: true,
      needsTransaction: false,
      columns: [{ name: 'column 0' }, { name: 'column 1' }],
    })
  })

  test('without RETURNING answers with the number of rows', () => {
    expect(compileStatement(statement(insert()))).toMatchObject({
      steps: [{ yields: 'affected' }],
      columns: [],
    })
  })

  test('checks stored rows, and leaves out those that cannot be seen', () => {
    const write = insert({
      returning: returning(column(2, 0)),
      security: {
        ...unrestricted,
        check: isOwn(2),
        visible: operation('>', column(2, 0), constant('0')),
      },
    })

    expect(printed(write)).toBe(
      `${head} ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text) returning t2."id", ${required('((t2."tenant" = $3::pg_catalog.int4) is true)')}, ((t2."id" > $4::pg_catalog.int4) is true)`,
    )
    expect(compileStatement(statement(write))).toMatchObject({
      steps: [{ yields: 'result', checkColumn: undefined, visibleColumn: 2 }],
      needsTransaction: false,
    })
  })

  test('without RETURNING gives the outcome of the check with the count', () => {
    const write = insert({ security: { ...unrestricted, check: isOwn(2) } })

    expect(printed(write)).toBe(
      `with w2(c1) as (${head} ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text) returning ${required('((t2."tenant" = $3::pg_catalog.int4) is true)')}) select pg_catalog.count(*), ${required('(not exists (select from w2 where not c1))')} from w2`,
    )
    expect(compileStatement(statement(write))).toMatchObject({
      steps: [{ yields: 'count', checkColumn: undefined, visibleColumn: undefined }],
      needsTransaction: false,
    })
  })

  describe('ON CONFLICT', () => {
    const conflict = (where: Expression | undefined): InsertWrite['onConflict'] => ({
      target: { columns: [0], index: undefined },
      action: {
        kind: 'update',
        excluded: 3,
        assignments: [
          { column: 2, value: column(3, 2, text) },
          { column: 1, value: { kind: 'default' } },
        ],
        where,
      },
    })

    test('does nothing', () => {
      expect(
        printed(insert({ onConflict: { target: undefined, action: { kind: 'nothing' } } })),
      ).toBe(
        `${head} ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text) on conflict do nothing`,
      )
    })

    test('updates the existing row from the proposed one', () => {
      const where = operation('<>', column(1, 2, text), column(3, 2, text))

      expect(printed(insert({ onConflict: conflict(where) }))).toBe(
        `${head} ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text) on conflict ("id") do update set "note" = excluded."note", "tenant" = default where (t2."note" <> excluded."note")`,
      )
    })

    test("looks at the client's condition only on rows that may be touched", () => {
      const where = operation('>', operation('/', column(1, 1), column(1, 0)), constant('0'))
      const security = { ...unrestricted, existing: isOwn(1) }

      expect(printed(insert({ onConflict: conflict(where), security }))).toContain(
        'where case when (t2."tenant" = $3::pg_catalog.int4) then ((t2."tenant" / t2."id") > $4::pg_catalog.int4) else false end',
      )
    })

    test('asks a snapshot what the row was, and skips a row that has changed since', () => {
      const check: Expression = { kind: 'oldCondition', index: 0, type: bool }
      const security = { ...unrestricted, existing: isOwn(1), check, oldConditions: [isOwn(1)] }
      const before = 'from "public"."orders" as p2 where (p2."id" = t2."id")'
      const wasOwn = '((p2."tenant" = $3::pg_catalog.int4) is true)'
      const isStillOwn = '((t2."tenant" = $3::pg_catalog.int4) is true)'

      const text = printed(insert({ onConflict: conflict(undefined), security }))
      expect(text).toContain(
        `where (t2."tenant" = $3::pg_catalog.int4) and exists (select ${before} and (${wasOwn} = ${isStillOwn}))`,
      )
      expect(text).toContain(`(coalesce((select ${wasOwn} ${before}), true) is true)`)
    })

    test('cannot ask for a row by a key that it changes', () => {
      const check: Expression = { kind: 'oldCondition', index: 0, type: bool }
      const security = { ...unrestricted, check, oldConditions: [isOwn(1)] }
      const onConflict: OnConflict = {
        target: { columns: [0], index: undefined },
        action: {
          kind: 'update',
          excluded: 3,
          assignments: [{ column: 0, value: column(3, 0) }],
          where: undefined,
        },
      }

      expect(() => printed(insert({ onConflict, security }))).toThrow(
        expect.objectContaining({ problem: 'unsupported' }),
      )
    })
  })
})

describe('UPDATE and DELETE', () => {
  test('that may touch every row', () => {
    expect(printed(update({}))).toBe(
      'update "public"."orders" as t2 set "note" = $1::pg_catalog.text where (t2."id" = $2::pg_catalog.int4)',
    )
    expect(printed(remove({}))).toBe('delete from "public"."orders" as t2')
  })

  test('stay simple where only rows are narrowed', () => {
    const rows = narrowed(orders, 1, { filter: isOwn(101) })

    expect(printed(update({ rows }))).toBe(
      'update "public"."orders" as t2 set "note" = $1::pg_catalog.text where (t2."tenant" = $2::pg_catalog.int4) and (t2."id" = $3::pg_catalog.int4)',
    )
  })

  test('may use other tables', () => {
    const from = [narrowed(customers, 5, { filter: operation('>', column(105, 0), constant('9')) })]
    const where = operation('=', column(1, 1), column(5, 0))
    const other =
      '(select t105."id" as c1, t105."name" as c2 from "public"."customers" as t105 where (t105."id" > $1::pg_catalog.int4)) as t5'

    expect(
      printed(update({}, { from, where, assignments: [{ column: 2, value: column(5, 1, text) }] })),
    ).toBe(
      `update "public"."orders" as t2 set "note" = t5.c2 from ${other} where (t2."tenant" = t5.c1)`,
    )
    expect(
      printed(remove({}, { using: from, where, returning: returning(column(5, 1, text)) })),
    ).toBe(
      `delete from "public"."orders" as t2 using ${other} where (t2."tenant" = t5.c1) returning t5.c2`,
    )
  })

  test('read masked cells, and find the rows again by their key', () => {
    const rows = narrowed(orders, 1, {
      filter: isOwn(101),
      masks: new Map([[2, operation('>', column(101, 0), constant('5'))]]),
    })
    const value = call('upper', column(1, 2, text))

    expect(
      printed(
        update(
          { rows },
          {
            assignments: [
              { column: 2, value },
              { column: 1, value: { kind: 'default' } },
            ],
          },
        ),
      ),
    ).toBe(
      'update "public"."orders" as t2 set "note" = s2.v1, "tenant" = default from (select t1.k1 as k1, pg_catalog.upper(t1.c3) as v1 from (select t101."id" as k1, t101."id" as c1, case when (t101."id" > $1::pg_catalog.int4) then t101."note" end as c3 from "public"."orders" as t101 where (t101."tenant" = $2::pg_catalog.int4) for update of t101) as t1 where (t1.c1 = $3::pg_catalog.int4)) as s2 where (t2."id" = s2.k1) and (t2."tenant" = $2::pg_catalog.int4)',
    )
  })

  test('evaluate the filter before anything of the client', () => {
    const rows = narrowed(orders, 1, { filter: isOwn(101), barrier: true })

    expect(printed(remove({ rows }, { where: operation('=', column(1, 0), constant('7')) }))).toBe(
      'delete from "public"."orders" as t2 using (select t1.k1 as k1 from (select t101."id" as k1, t101."id" as c1 from "public"."orders" as t101 where (t101."tenant" = $1::pg_catalog.int4) offset 0 for update of t101) as t1 where (t1.c1 = $2::pg_catalog.int4)) as s2 where (t2."id" = s2.k1) and (t2."tenant" = $1::pg_catalog.int4)',
    )
  })

  test('pair the check of the new row with conditions on the row before', () => {
    const old: Expression = { kind: 'oldCondition', index: 0, type: bool }
    const security = {
      rows: whole(orders, 1),
      oldConditions: [isOwn(101)],
      check: { kind: 'logical', operator: 'and', operands: [old, isOwn(2)], type: bool } as const,
    }

    expect(printed(update(security, { returning: returning(column(2, 0)) }))).toBe(
      `update "public"."orders" as t2 set "note" = s2.v1 from (select t1.k1 as k1, t1.o1 as o1, $1::pg_catalog.text as v1 from (select t101."id" as k1, (t101."tenant" = $2::pg_catalog.int4) as o1, t101."id" as c1 from "public"."orders" as t101 for update of t101) as t1 where (t1.c1 = $3::pg_catalog.int4)) as s2 where (t2."id" = s2.k1) returning t2."id", ${required('((s2.o1 and (t2."tenant" = $2::pg_catalog.int4)) is true)')}`,
    )
  })

  test('return columns of other tables through the derived table', () => {
    const rows = narrowed(orders, 1, { filter: isOwn(101), barrier: true })
    const write = update(
      { rows },
      {
        from: [whole(customers, 5)],
        where: undefined,
        returning: returning(column(2, 0), column(5, 1, text), column(5, 1, text)),
      },
    )

    expect(printed(write)).toBe(
      'update "public"."orders" as t2 set "note" = s2.v1 from (select t1.k1 as k1, $1::pg_catalog.text as v1, t5."name" as e1 from (select t101."id" as k1 from "public"."orders" as t101 where (t101."tenant" = $2::pg_catalog.int4) offset 0 for update of t101) as t1, "public"."customers" as t5) as s2 where (t2."id" = s2.k1) and (t2."tenant" = $2::pg_catalog.int4) returning t2."id", s2.e1, s2.e1',
    )
  })

  test('find rows by their place where no key is proven to find one, and lock them', () => {
    const logs = tableOf('logs', { line: text, tenant: int4 }, 0)
    const rows = narrowed(logs, 1, { filter: isOwn(101), barrier: true })

    expect(printed(remove({ rows }, { target: { ...target, table: logs } }))).toBe(
      'delete from "public"."logs" as t2 using (select t1.k1 as k1, t1.k2 as k2 from (select t101.tableoid as k1, t101.ctid as k2 from "public"."logs" as t101 where (t101."tenant" = $1::pg_catalog.int4) offset 0 for update of t101) as t1) as s2 where (t2.tableoid = s2.k1) and (t2.ctid = s2.k2) and (t2."tenant" = $1::pg_catalog.int4)',
    )
  })

  test('do not take a unique key that is not proven', () => {
    const logs = { ...tableOf('logs', { line: int4, tenant: int4 }, 1), rowKeys: [] }
    const rows = narrowed(logs, 1, { filter: isOwn(101), barrier: true })

    expect(printed(remove({ rows }, { target: { ...target, table: logs } }))).toContain('ctid')
  })

  test('of views need more than that', () => {
    const logs = { ...tableOf('logs', { line: int4, tenant: int4 }, 0), kind: 'view' } as const
    const rows = narrowed(logs, 1, { filter: isOwn(101), barrier: true })
    const write = remove({ rows }, { target: { ...target, table: logs } })

    expect(() => printed(write)).toThrow(expect.objectContaining({ problem: 'unsupported' }))
  })

  test('take a unique key when there is no primary one', () => {
    const logs = {
      ...tableOf('logs', { line: int4, tenant: int4 }, 1),
      primaryKey: [],
      uniqueKeys: [[1], [0]],
    }
    const rows = narrowed(logs, 1, { filter: isOwn(101), barrier: true })

    expect(printed(remove({ rows }, { target: { ...target, table: logs } }))).toMatch(
      / where \(t2\."line" = s2\.k1\) and /,
    )
  })
})

describe('writes in WITH', () => {
  const cte = (query: Query | Write, columns = [{ name: 'id', type: int4 }]) => ({
    id: 9,
    columns,
    query,
    isRecursive: false,
    materialized: undefined,
  })
  const read = (query: Query | Write) =>
    select(
      [column(6, 0)],
      [{ kind: 'cte', id: 6, cte: 9, columns: [{ name: 'id', type: int4 }] }],
      {
        ctes: [cte(query)],
      },
    )
  const inserted =
    'insert into "public"."orders" as t2 ("id", "note") values ($1::pg_catalog.int4, $2::pg_catalog.text)'

  test('are queries like others when nothing is checked', () => {
    const query = read(insert({ returning: returning(column(2, 0)) }))

    expect(printed(query)).toBe(
      `with q9(c1) as (${inserted} returning t2."id") select t6.c1 from q9 as t6`,
    )
    expect(compileStatement(statement(query))).toMatchObject({
      isWrite: true,
      needsTransaction: false,
    })
  })

  test('give the outcome of their check in every row, and in one more when there is none', () => {
    const query = read(
      insert({
        returning: returning(column(2, 0)),
        security: {
          ...unrestricted,
          check: isOwn(2),
          visible: operation('>', column(2, 0), constant('0')),
        },
      }),
    )

    expect(printed(query)).toBe(
      `with w2(c1, c2, c3) as (${inserted} returning t2."id", ${required('((t2."tenant" = $3::pg_catalog.int4) is true)')}, ((t2."id" > $4::pg_catalog.int4) is true)), q9(c1) as (select c1 from w2 where c3) select r.c1, k.c1, (r.c2 is not null) from (select ${required('(not exists (select from w2 where not c2))')}) as k(c1) left join (select m.c1, pg_catalog.row_number() over () from (select t6.c1 from q9 as t6) as m(c1)) as r(c1, c2) on true order by r.c2`,
    )
    expect(compileStatement(statement(query))).toMatchObject({
      steps: [{ yields: 'result', checkColumn: undefined, visibleColumn: 2 }],
      needsTransaction: false,
      isWrite: true,
    })
  })

  test('in front of another write are checked together with it', () => {
    const inner = insert({ security: { ...unrestricted, check: isOwn(2) } })
    const outer = remove(
      {},
      { ctes: [cte(inner, [])], target: { table: customers, oldRow: 7, newRow: 8 } },
    )
    const security = { ...unrestricted, rows: whole(customers, 7) }

    expect(printed({ ...outer, security })).toBe(
      `with w2(c1) as (${inserted} returning ${required('((t2."tenant" = $3::pg_catalog.int4) is true)')}), w8(c1) as (delete from "public"."customers" as t8 returning true) select pg_catalog.count(*), ${required('(not exists (select from w2 where not c1))')} from w8`,
    )
    expect(printed({ ...outer, security, returning: returning(column(8, 0)) })).toContain(
      `select r.c1, k.c1, (r.c2 is not null) from (select ${required('(not exists (select from w2 where not c1))')}) as k(c1) left join (select m.c1, pg_catalog.row_number() over () from (select c1 from w8) as m(c1)) as r(c1, c2) on true order by r.c2`,
    )
  })
})

test.each([insert(), update({}), remove({})])(
  'a write without security is refused: $kind',
  (write) => {
    expect(() => printed({ ...write, security: undefined })).toThrow(
      expect.objectContaining({ problem: 'internal' }),
    )
  },
)

test('an update that has no rows it may touch is refused', () => {
  expect(() => printed(update({ rows: undefined }))).toThrow(
    expect.objectContaining({ problem: 'internal' }),
  )
})
