/** Random MERGE statements: as PostgreSQL itself runs them, and alike whatever is hidden. */
import { type Caller, type Config, createEngine, type Engine, GatewayError } from '@engine/core'
import { createDatabase, describePostgres } from '@engine/test-databases/vitest'
import fc from 'fast-check'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adapters } from '../support/gateway.ts'
import { mine } from '../support/permission-world.ts'

/** `x` of the rows 1 and 2 only is readable for `masked`. No expression of a visible row divides by zero. */
const tables = `
  create table t (id int primary key, v int, w int, x int, tenant int not null);
  create table s (id int, v int, w int, tenant int not null);
`
const hiddenRows = `
  insert into t values (101, 77, 1, 1, 2), (102, 1, 2, 2, 2), (103, 3, 0, 0, 2);
  insert into s values (101, 77, 1, 2), (1, 1, 1, 2), (2, 77, 2, 2), (4, 5, 5, 2), (8, 5, 5, 2);
`
const permissions = {
  targets: {
    table: 'main.t',
    roles: ['plain', 'masked'],
    select: { columns: ['id', 'v', 'w'], where: mine },
    insert: {
      columns: ['id', 'v', 'w'],
      preset: mine,
      check: { $or: [{ v: { $ne: 5 } }, { v: { $null: true } }] },
    },
    update: {
      columns: ['id', 'v', 'w'],
      where: { ...mine, id: { $ne: 3 } },
      check: { ...mine, $or: [{ v: { $ne: 3 } }, { v: { $null: true } }] },
    },
    delete: { where: { ...mine, id: { $ne: 2 } } },
  },
  masked: {
    table: 'main.t',
    roles: ['masked'],
    select: { columns: ['id', 'x'], where: { ...mine, id: { $in: [1, 2] } } },
  },
  sources: {
    table: 'main.s',
    roles: ['plain', 'masked'],
    select: { columns: ['id', 'v', 'w'], where: mine },
  },
} satisfies Config['permissions']

const shared = ['s.id', 's.v', 's.w', '(10 / (s.v - 77))', '1', '2', 'null']
const sourceCell = fc.constantFrom(...shared)
const anyCell = fc.constantFrom(...shared, 't.id', 't.v', 't.w', '(10 / (t.v - 77))')

function condition(cell: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const { tree } = fc.letrec<{ tree: string }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 2 },
      fc
        .tuple(cell, fc.constantFrom('=', '<', '>', '<>', 'is distinct from'), cell)
        .map((parts) => parts.join(' ')),
      cell.map((each) => `${each} is null`),
      cell.map((each) => `${each} in (select v from main.s q where q.id > 2)`),
      tie('tree').map((each) => `not (${each})`),
      fc
        .tuple(tie('tree'), fc.constantFrom('and', 'or'), tie('tree'))
        .map((parts) => `(${parts.join(' ')})`),
    ),
  }))
  return tree
}

const source = fc.constantFrom(
  'main.s s',
  '(select * from main.s where v > 1) s',
  '(values (1, 2, 3), (2, 3, 4), (9, 9, 9)) s(id, v, w)',
  '(select id, max(v) as v, min(w) as w from main.s group by id) s',
  '(select 4 as id, 5 as v, 6 as w) s',
)
const on = fc.oneof(
  fc.constantFrom('t.id = s.id', 't.v = s.v'),
  condition(anyCell).map((each) => `t.id = s.id and ${each}`),
  condition(anyCell),
)
const change = fc.oneof(
  fc.constantFrom('delete', 'do nothing', 'update set id = t.id + 20'),
  anyCell.map((each) => `update set v = ${each}, w = t.w + 1`),
)
const addition = fc.oneof(
  fc.constant('do nothing'),
  sourceCell.map((each) => `insert (id, v) values (s.id + 10, ${each})`),
  sourceCell.map((each) => `insert (id, w) values (coalesce(s.v, 0) + 30, ${each})`),
)

/** Only the last clause of its kind may be without a condition. */
function clauses(word: string, cell: fc.Arbitrary<string>, action: fc.Arbitrary<string>) {
  const one = fc.tuple(condition(cell), action)
  return fc
    .tuple(fc.array(one, { maxLength: 2 }), fc.option(action))
    .map(([some, last]) => [
      ...some.map(([when, then]) => `when ${word} and ${when} then ${then}`),
      ...(last === null ? [] : [`when ${word} then ${last}`]),
    ])
}

const merge = fc
  .tuple(
    source,
    on,
    clauses('matched', anyCell, change),
    clauses('not matched', sourceCell, addition),
  )
  .filter(([, , matched, others]) => matched.length + others.length > 0)
  .map(([from, match, matched, others]) =>
    [`merge into main.t t using ${from} on ${match}`, ...matched, ...others].join(' '),
  )

const number = fc.constantFrom('null', '0', '1', '2', '3', '4', '5')
const rows = fc
  .tuple(
    fc.array(fc.tuple(number, number, number), { minLength: 5, maxLength: 5 }),
    fc.array(fc.tuple(fc.constantFrom('1', '2', '3', '6', '7'), number, number), { maxLength: 5 }),
  )
  .map(([targets, sources]) => {
    const values = (list: readonly (readonly string[])[]) =>
      list.map((each) => `(${each.join()}, 1)`).join()
    const stored = `truncate t, s; insert into t values ${values(targets.map((each, i) => [String(i + 1), ...each]))};`
    return sources.length === 0 ? stored : `${stored} insert into s values ${values(sources)};`
  })

describePostgres('random MERGE statements', () => {
  const clients: pg.Client[] = []
  const engines: Engine[] = []
  const open = async (schema: string) => {
    const url = await createDatabase('merge_random')
    const client = new pg.Client({ connectionString: url })
    clients.push(client)
    await client.connect()
    await client.query(
      `create schema if not exists ${schema}; set search_path to ${schema}; ${tables}`,
    )
    return { url, client }
  }
  const openEngine = async (main: string) => {
    const config = { connections: { main }, auth: { secret: 'x'.repeat(32) }, permissions }
    const engine = await createEngine(config, { adapters })
    engines.push(engine)
    return engine
  }
  let native: pg.Client
  let one: pg.Client
  let other: pg.Client
  let ours: Engine
  let others: Engine
  beforeAll(async () => {
    native = (await open('main')).client
    const first = await open('public')
    const second = await open('public')
    one = first.client
    other = second.client
    ours = await openEngine(first.url)
    others = await openEngine(second.url)
  })
  afterAll(async () => {
    for (const engine of engines) await engine.close()
    for (const client of clients) await client.end()
  })

  const run = async (engine: Engine, client: pg.Client, sql: string, caller: Caller) => {
    const request = { sql, params: [], method: 'run', meta: true, signal: undefined } as const
    const answer = await engine.query(request, caller).then(
      ({ body }) => (JSON.parse(String(body)) as { readonly rowCount: number }).rowCount,
      (error: unknown) => {
        if (!(error instanceof GatewayError)) throw error
        return [error.status, error.sqlState, error.publicMessage]
      },
    )
    return { answer, visible: await tenant(client, 1) }
  }
  const tenant = async (client: pg.Client, id: number) =>
    (await client.query('select * from t where tenant = $1 order by id', [id])).rows
  const user = (role: string): Caller => ({
    kind: 'user',
    id: 'u1',
    roles: [role],
    fields: { tenant: 1 },
  })
  const admin: Caller = { kind: 'admin', roles: [], fields: {} }

  test('random MERGE statements give the counts and rows of PostgreSQL', {
    timeout: 120_000,
  }, async () => {
    // A row that is inserted has a tenant.
    for (const client of [native, one]) {
      await client.query('alter table t alter tenant set default 1')
    }
    await fc.assert(
      fc.asyncProperty(merge, rows, async (sql, stored) => {
        for (const client of [native, one]) await client.query(stored)
        const expected = await native.query(sql).then(
          ({ rowCount }) => rowCount,
          () => 'error',
        )
        const { answer, visible } = await run(ours, one, sql, admin)
        expect(Array.isArray(answer) ? 'error' : answer).toBe(expected)
        expect(visible).toEqual(await tenant(native, 1))
      }),
      { numRuns: 300 },
    )
  })

  test('answer alike, whatever is hidden', { timeout: 120_000 }, async () => {
    const role = fc.constantFrom('plain', 'masked')
    await fc.assert(
      fc.asyncProperty(merge, rows, role, async (sql, stored, name) => {
        const text = name === 'masked' ? sql.replaceAll('t.w', 't.x') : sql
        await one.query(stored)
        await other.query(stored + hiddenRows)
        const before = await tenant(other, 2)
        const alone = await run(ours, one, text, user(name))
        expect(await run(others, other, text, user(name))).toEqual(alone)
        expect(await tenant(other, 2)).toEqual(before)
      }),
      { numRuns: 300 },
    )
  })
})
