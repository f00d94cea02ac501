/**
 * Explanations are true: a query behaves as its explanation says, and they reveal nothing that the caller must not see.
 */
import type { Caller, Engine, StatementExplanation } from '@engine/core'
import { admin, GatewayError } from '@engine/core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { describeDatabases } from '../support/databases.ts'
import { createWorld, masterKey, mine, type PermissionWorld } from '../support/permission-world.ts'
import { secret } from '../support/tokens.ts'

const acme = { kind: 'user', id: 'ada', roles: ['clerk'], fields: { tenant: 'acme' } } as const

const permissions = {
  'orders-of-tenant': {
    table: 'main.orders',
    roles: ['clerk'],
    select: { columns: ['id', 'customer_id', 'status', 'total'], where: mine },
    insert: {
      columns: ['id', 'customer_id', 'total'],
      preset: mine,
      check: { total: { $gte: 0 } },
    },
    update: { columns: ['status'], where: { ...mine, status: { $in: ['new', 'paid'] } } },
    delete: { where: { ...mine, status: 'new' } },
  },
  'notes-of-new-orders': {
    table: 'main.orders',
    roles: ['clerk', 'guest'],
    select: { columns: ['id', 'notes'], where: { ...mine, status: 'new' } },
  },
  'orders-of-bosses': { table: 'main.orders', roles: ['boss'], select: {} },
  'lines-of-tenant': {
    table: 'main.order_lines',
    roles: ['clerk'],
    select: { where: { order: mine } },
  },
  'few-customers': {
    table: 'main.customers',
    roles: ['clerk'],
    restrict: mine,
    select: { columns: ['id', 'name', 'tenant'], limit: 2, aggregate: false },
  },
  levels: {
    table: 'main.feedback',
    roles: ['clerk'],
    select: { where: { level: { $lte: '$user.level' } } },
    delete: { where: { level: '$user.level' } },
  },
}

describeDatabases('an explanation', (open, kind) => {
  let world: PermissionWorld
  let engine: Engine

  beforeAll(async () => {
    world = await createWorld(open)
    engine = (await world.open(permissions)).gateway.engine
  })
  afterAll(() => world?.close())

  const explain = (sql: string, params: readonly unknown[] = [], caller: Caller = acme) =>
    engine.explain({ sql, params }, caller)
  const only = (explanation: StatementExplanation, operation = 'select') => {
    const found = explanation.tables.filter((table) => table.operation === operation)
    expect(found).toHaveLength(1)
    return found[0]
  }

  test('an explanation says for every permission on a table whether it grants, and why not', async () => {
    const { permissions: verdicts } = only(await explain('select id from main.orders')) ?? {}
    expect(verdicts).toEqual([
      {
        name: 'orders-of-tenant',
        roles: ['clerk'],
        verdict: 'grants',
        reason: undefined,
        block: {
          columns: ['id', 'customer_id', 'status', 'total'],
          where: 'tenant = $user.tenant',
        },
      },
      {
        name: 'notes-of-new-orders',
        roles: ['clerk', 'guest'],
        verdict: 'grants',
        reason: undefined,
        block: { columns: ['id', 'notes'], where: "tenant = $user.tenant and status = 'new'" },
      },
      {
        name: 'orders-of-bosses',
        roles: ['boss'],
        verdict: 'otherRoles',
        reason: 'it is for boss',
      },
    ])
  })

  test('describes the virtual table: columns, hidden ones, masked cells, rows', async () => {
    const { virtualTable } = only(await explain('select id from main.orders')) ?? {}
    expect(virtualTable).toMatchObject({
      columns: ['id', 'customer_id', 'status', 'total', 'notes'],
      hidden: ['tenant', 'code', 'placed'],
      masked: expect.arrayContaining([
        { column: 'notes', visibleWhen: "tenant = $user.tenant and status = 'new'" },
      ]),
      rows: expect.stringContaining('tenant = $user.tenant'),
    })
    const { rows, columns } = await answerOf('select * from main.orders order by id')
    expect(columns).toEqual(virtualTable?.columns)
    expect(rows.map((row) => row.at(-1))).toEqual(['first', null, null, null])
  })

  const answerOf = async (sql: string) => {
    const { body } = await engine.query(
      { sql, params: [], method: 'all', meta: true, signal: undefined },
      acme,
    )
    const text = typeof body === 'string' ? body : Buffer.from(body).toString()
    const parsed = JSON.parse(text) as { rows: unknown[][]; columns: { name: string }[] }
    return { rows: parsed.rows, columns: parsed.columns.map(({ name }) => name) }
  }

  test('an explanation says whether there is a barrier, and why', async () => {
    const barrierOf = async (sql: string) => only(await explain(sql))?.virtualTable?.barrier
    expect(await barrierOf('select id from main.orders where id = 1')).toMatchObject({
      isSet: false,
    })
    expect(await barrierOf('select id from main.orders where total / id > 1')).toMatchObject({
      isSet: true,
      reason: expect.stringContaining('/'),
    })
    expect(
      await barrierOf('select order_id from main.order_lines order by position / order_id'),
    ).toMatchObject({ isSet: true, reason: expect.stringMatching(/other tables/) })
  })

  test('an explanation names conditions that are evaluated with the rows', async () => {
    const sql = 'select id from main.orders where id < 100 and total / id >= 0'
    expect(only(await explain(sql))?.virtualTable).toMatchObject({
      barrier: { isSet: true },
      pushed: ['id < 100'],
    })
    const redacted = await engine.explain({ sql }, acme, { redactValues: true })
    expect(only(redacted)?.virtualTable?.pushed).toEqual(['id < …'])
  })

  test('an explanation says where every parameter comes from', async () => {
    const sql = 'select id from main.orders where status = $1 and total > 5 limit $2'
    const { statements } = await explain(sql, ['paid', 3])
    const [statement] = statements
    expect(statement?.sql).not.toMatch(/acme|paid/)
    const parameters = (statement?.parameters ?? []).map(({ from, source, value }) => [
      from,
      source,
      value,
    ])
    expect(parameters).toEqual(
      expect.arrayContaining([
        ['caller', '$user.tenant', 'acme'],
        ['request', '$1', 'paid'],
        ['constant', 'constant', '5'],
        ['request', expect.stringMatching(/^\$2, at most \d+$/), '3'],
      ]),
    )
    expect(statement?.parameters.map(({ index }) => index)).toEqual(parameters.map((_, i) => i + 1))
  })

  test('an explanation leaves values out on request', async () => {
    const sql = `select id from main.orders where status = $1 and notes = 'literally'`
    const explanation = await engine.explain({ sql, params: ['paid'] }, acme, {
      redactValues: true,
    })
    expect(explanation.answer.outcome).toBe('runs')
    expect(JSON.stringify(explanation)).not.toMatch(/acme|"paid"|literally/)
    expect(explanation.caller.fields).toEqual([
      { field: '$user.tenant', type: 'text', state: 'present' },
    ])
  })

  test("an explanation has the database's own plan only where it is asked for, and runs nothing for it", async () => {
    const remove = 'delete from main.orders where id = $1'
    const before = await world.database.rows('select count(*) as n from orders')
    const params = [1]
    expect(JSON.stringify(await explain(remove, params))).not.toContain('"plan"')
    const asked = await engine.explain({ sql: remove, params }, acme, { databasePlan: true })
    for (const { plan } of asked.statements) {
      expect(plan?.join('\n') ?? 'it cannot tell').toMatch(
        kind === 'mysql' ? /^it cannot tell$/ : /SCAN|SEARCH|Scan|Delete/,
      )
    }
    expect(await world.database.rows('select count(*) as n from orders')).toEqual(before)
    const refused = await engine.explain({ sql: remove }, acme, { databasePlan: true })
    expect(refused.answer.outcome).toBe('refused')
  })

  test('describes writes: columns, presets, rows and check', async () => {
    const insert = await explain(
      'insert into main.orders (id, customer_id, total) values (9, 1, 2)',
    )
    expect(only(insert, 'insert')?.write).toEqual({
      columns: ['id', 'customer_id', 'total'],
      presets: { tenant: '$user.tenant' },
      rows: 'true',
      check: 'total >= 0',
    })
    const update = await explain(`update main.orders set status = 'paid' where id = 1`)
    expect(only(update, 'update')?.write).toEqual({
      columns: ['status'],
      presets: {},
      rows: "tenant = $user.tenant and (status = 'new' or status = 'paid')",
      check: "tenant = $user.tenant and (status = 'new' or status = 'paid')",
    })
    expect(only(update)?.isAdmitted).toBe(true)
    const remove = await explain('delete from main.orders')
    expect(only(remove, 'delete')?.write).toMatchObject({
      rows: "tenant = $user.tenant and status = 'new'",
    })
    expect(remove.answer).toMatchObject({ outcome: 'runs', isWrite: true, columns: [] })
    expect(remove.statements.length).toBeGreaterThan(0)
  })

  test('an explanation says which caller field is missing, and which is of no use', async () => {
    const sql = 'select body from main.feedback'
    const missing = await explain(sql, [], { ...acme, fields: {} })
    expect(missing.caller.fields).toEqual([
      { field: '$user.level', type: 'integer', state: 'missing' },
    ])
    expect(only(missing)).toMatchObject({
      isAdmitted: true,
      virtualTable: { rows: 'false' },
      permissions: [
        {
          verdict: 'grants',
          reason:
            'no row can match its condition: the caller lacks $user.level, or the type is wrong',
        },
      ],
    })
    const unusable = await explain(sql, [], { ...acme, fields: { level: 'high' } })
    expect(unusable.caller.fields[0]).toMatchObject({ state: 'unusable' })
    const refused = await explain('delete from main.feedback', [], { ...acme, fields: {} })
    expect(refused.answer).toMatchObject({ outcome: 'refused', stage: 'authorize', status: 403 })
    expect(only(refused, 'delete')).toMatchObject({
      isAdmitted: false,
      permissions: [{ verdict: 'refuses', reason: expect.stringContaining('$user.level') }],
    })
  })

  test('an explanation shows limits, those of permissions too', async () => {
    const { limits, tables } = await explain('select id from main.customers')
    expect(limits).toEqual({
      maxRows: 10_000,
      permissionLimit: 2,
      queryTimeoutMs: 30_000,
      relationDepth: { allowed: 5, measured: 1 },
      filterNesting: { allowed: 10, measured: 0 },
      filterConditions: { allowed: 100, measured: 0 },
    })
    expect(tables[0]?.permissions[0]).toMatchObject({
      block: { limit: 2, aggregate: false },
      restrict: 'tenant = $user.tenant',
    })
    expect(tables[0]?.virtualTable?.rows).toBe('tenant = $user.tenant')
    expect((await explain('select id from main.orders')).limits.permissionLimit).toBeUndefined()
  })

  test('of full rights says that no permission is checked', async () => {
    const explanation = await explain('select * from main.orders', [], admin)
    expect(explanation.caller).toMatchObject({ hasFullRights: true, fields: [] })
    expect(only(explanation)).toMatchObject({
      isAdmitted: true,
      permissions: [],
      virtualTable: { rows: 'true', hidden: [], masked: [] },
    })
  })

  test('an explanation finds a table that was made after the start', async () => {
    await world.database.run('create table late (id integer primary key)')
    expect((await explain('select id from main.late', [], admin)).answer.outcome).toBe('runs')
  })

  describe('names the stage at which a statement is refused:', () => {
    test.each<[stage: string, status: number, sql: string, params?: readonly unknown[]]>([
      ['parse', 400, 'selekt'],
      ['parse', 400, 'select 1; select 2'],
      ['parse', 400, 'vacuum'],
      ['bind', 404, 'select 1 from main.nothing'],
      ['bind', 404, 'select 1 from other.orders'],
      ['authorize', 403, 'select code from main.orders'],
      ['authorize', 403, 'select nothing from main.orders'],
      ['bind', 400, 'select id + notes from main.orders', ['x']],
      ['authorize', 403, 'select 1 from main.tags'],
      ['authorize', 403, 'update main.orders set total = 1'],
      ['authorize', 403, 'select count(*) from main.customers'],
      ['limits', 400, `select ${'('.repeat(200)}1${')'.repeat(200)}`],
      ['values', 400, 'select id from main.orders where id = $1', ['seven']],
    ])('%s %i %s', async (stage, status, sql, params = []) => {
      const { answer, statements } = await explain(sql, params)
      expect(answer).toMatchObject({ outcome: 'refused', stage, status })
      if (stage !== 'values') expect(statements).toEqual([])
    })

    test('and explains the tables that it knows all the same', async () => {
      const hidden = await explain('select code from main.orders o, main.tags')
      expect(hidden.tables.map(({ table, isAdmitted }) => [table, isAdmitted])).toEqual([
        ['main.orders', true],
        ['main.tags', false],
      ])
      const wrong = await explain('select id || from_nowhere(id) from main.orders')
      expect(wrong.tables.map(({ table }) => table)).toEqual(['main.orders'])
      const values = await explain('select id from main.orders where id = $1', ['seven'])
      expect(values.statements).toHaveLength(1)
      expect(values.statements[0]?.parameters[0]).not.toHaveProperty('value')
    })
  })

  test('an explanation agrees with what a query answers', async () => {
    const statements = [
      'select * from main.orders',
      'select count(*), status from main.orders group by status',
      'select count(*) from main.customers',
      'select o.id, l.product from main.orders o join main.order_lines l on l.order_id = o.id',
      'select tenant from main.orders',
      'select o.tenant from main.orders o join main.customers c on c.tenant = o.tenant',
      'select 1 from main.members',
      'select 1 from nowhere',
      'select id from main.orders for update',
      'select id from main.order_lines for update',
      'select 1 from main.order_lines for update',
      'update main.orders set status = status where id = 1',
      'update main.orders set notes = notes',
      'delete from main.order_lines',
      'delete from main.orders where id = 99',
      'insert into main.orders (tenant) values (1)',
      'insert into main.tags (id, name) values (1, null)',
      `insert into main.orders (id, customer_id, total) values (1, 1, 1) on conflict (id) do update set status = 'paid'`,
      `insert into main.orders (id, customer_id, total) values (1, 1, 1) on conflict (code) do nothing`,
      'with w as (delete from main.orders where id = 99 returning id) select id from w',
      'select sum(total) over (order by id) from main.orders',
      'explain select 1',
      'merge into main.orders using main.tags on true when matched then delete',
      'copy main.orders to stdout',
      'select 1 where pg_sleep(1) is null',
      'table main.orders',
    ]
    for (const sql of statements) {
      const { answer } = await explain(sql)
      const outcome = await engine
        .query({ sql, params: [], method: 'all', meta: false, signal: undefined }, acme)
        .then(
          () => ({ outcome: 'runs' }),
          (error: unknown) => {
            if (!(error instanceof GatewayError)) throw error
            const { status, code, message, publicMessage, details } = error
            return { outcome: 'refused', status, error: code, message, publicMessage, details }
          },
        )
      expect(answer, sql).toMatchObject(outcome)
      const isDenied = answer.outcome === 'refused' && answer.stage === 'authorize'
      const isRefusedSomewhere = (await explain(sql)).tables.some(({ isAdmitted }) => !isAdmitted)
      // Aggregates and keys of ON CONFLICT have refusals besides the rules for one table.
      if (answer.outcome === 'runs') expect(isRefusedSomewhere, sql).toBe(false)
      if (isRefusedSomewhere) expect(isDenied || answer.outcome === 'refused', sql).toBe(true)
    }
  })

  test('an explanation has no row in it, whatever the statement', async () => {
    for (const sql of [
      'select * from main.orders',
      'select notes from main.orders where total / (id - 5) > 1',
      `select id from main.orders where notes::int = 1`,
      `update main.orders set status = 'paid' where notes = 'x'`,
    ]) {
      for (const caller of [acme, admin]) {
        expect(JSON.stringify(await explain(sql, [], caller))).not.toMatch(/CANARY|first|ada@/)
      }
    }
  })

  test('an explanation has no secret of the configuration in it', async () => {
    const secrets = [secret, masterKey, world.database.url]
    for (const sql of ['select * from main.orders', 'select 1 from main.nothing', 'selekt']) {
      for (const caller of [acme, admin]) {
        const text = JSON.stringify(await explain(sql, [], caller))
        for (const each of secrets) expect(text).not.toContain(each)
      }
    }
  })

  test('an explanation is nothing that a request can ask for', async () => {
    const { gateway } = await world.open(permissions)
    const body = JSON.stringify({ sql: 'select 1', params: [], method: 'all' })
    const authorization = { authorization: `Bearer ${masterKey}` }
    for (const path of ['/explain', '/data/explain', '/simulate', '/data/simulate']) {
      expect((await gateway.post(path, body, authorization)).status).toBe(404)
    }
  })
})
