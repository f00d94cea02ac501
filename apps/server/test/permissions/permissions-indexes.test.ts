/** Permissions stay fast: a restricted table uses the same indexes as one with a filter written by hand. */

import { createEngine, type Engine, type Filter } from '@engine/core'
import type { Adapter, AdapterFactory, Execution, SqlValue } from '@engine/core/adapter'
import { afterAll, expect, test } from 'vitest'
import { adapters } from '../support/gateway.ts'
import { describePlans } from '../support/query-plans.ts'

const setUp = `
create table documents (id integer primary key, tenant varchar(20) not null, owner integer not null, title varchar(50), size numeric(10, 2));
create index documents_tenant_idx on documents (tenant);
create table members (tenant varchar(20) not null, who varchar(20) not null, primary key (tenant, who));
create table notes (id integer primary key, document integer not null, body varchar(50));
create index notes_document_idx on notes (document);`

const mine = { tenant: '$user.tenant' }
const member = {
  $exists: { table: 'main.members', where: { who: '$user.name', tenant: { $outer: 'tenant' } } },
}
const isMember =
  "exists (select 1 from members m where m.who = 'ada' and m.tenant = documents.tenant)"

const noted = {
  $exists: { table: 'main.notes', where: { document: { $outer: 'id' }, body: 'note' } },
}
const isNoted = "exists (select 1 from notes n where n.document = documents.id and n.body = 'note')"

const caller = {
  kind: 'user',
  id: 'ada',
  roles: ['r'],
  fields: { tenant: 't1', name: 'ada' },
} as const

/** A native statement with its values. */
interface Printed {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** The last of the executions is that of the last query. */
interface SpiedEngine {
  readonly engine: Engine
  readonly executions: readonly Execution[]
}

describePlans(setUp, (database) => {
  const engines = new Map<unknown, Promise<SpiedEngine>>()
  afterAll(async () => {
    for (const opened of engines.values()) await (await opened).engine.close()
  })

  /** An engine with `where` for documents. */
  function engineFor(where: unknown): Promise<SpiedEngine> {
    const opened = engines.get(where) ?? openEngine(where)
    engines.set(where, opened)
    return opened
  }

  async function openEngine(where: unknown): Promise<SpiedEngine> {
    const { adapterPackage, url } = database()
    const factory = adapters[adapterPackage]
    if (factory === undefined) throw new Error(`there is no ${adapterPackage}`)
    const executions: Execution[] = []
    const engine = await createEngine(
      {
        connections: { main: url },
        permissions: {
          p: {
            table: 'main.documents',
            roles: ['r'],
            select: { where: where as Filter },
            update: {},
            delete: {},
          },
          notes: { table: 'main.notes', roles: ['r'], select: {} },
        },
      },
      { adapters: { ...adapters, [adapterPackage]: spying(factory, executions) } },
    )
    return { engine, executions }
  }

  /** The SQL that the adapter prints for a statement. */
  async function printed(where: unknown, sql: string): Promise<Printed> {
    const { engine, executions } = await engineFor(where)
    const params = sql.includes('$1') ? [51] : []
    await engine.query({ sql, params, method: 'all', meta: false, signal: undefined }, caller)
    const execution = executions.at(-1)
    const [step] = execution?.statement.steps ?? []
    return { sql: step?.sql ?? '', values: execution?.values[0] ?? [] }
  }

  /** The database's plan for reading the rows. */
  async function planOf(where: unknown, sql: string): Promise<readonly string[]> {
    const { sql: text, values } = await printed(where, sql)
    return database().planOf(text, values)
  }

  test.each<[string, unknown, string, string]>([
    ['a key', mine, 'id = $1', "id = 51 and tenant = 't1'"],
    ['no key', mine, 'owner > 7', "owner > 7 and tenant = 't1'"],
    ['a key, for members', member, 'id = $1', `id = 51 and ${isMember}`],
  ])('rows of %s: the plan is that of the condition by hand', async (_, where, asked, byHand) => {
    const text = `select title from main.documents where ${asked}`
    const { planOf: planOfText, barrier } = database()
    expect((await printed(where, text)).sql).not.toContain(barrier)
    const expected = await planOfText(`select title from documents where ${byHand}`, [])
    expect(await planOf(where, text)).toEqual(expected)
  })

  test.each<[string, unknown, string]>([
    ['members', member, isMember],
    ['what has a note', noted, isNoted],
    ['what has no note', { $not: noted }, `not ${isNoted}`],
    ['what has a note or an owner', { $or: [{ owner: 7 }, noted] }, `(owner = 7 or ${isNoted})`],
  ])('all rows of %s: the plan is that of the condition by hand', async (_, where, byHand) => {
    const expected = await database().planOf(`select title from documents where ${byHand}`, [])
    expect(await planOf(where, 'select title from main.documents')).toEqual(expected)
    const counted = await database().planOf(`select count(*) from documents where ${byHand}`, [])
    expect(await planOf(where, 'select count(*) from main.documents')).toEqual(counted)
  })

  test('a joined table is found by its keys as well', async () => {
    const text =
      'select n.body, d.title from main.notes n join main.documents d on d.id = n.document where n.id = $1'
    const { planOf: planOfText, barrier } = database()
    expect((await printed(mine, text)).sql).not.toContain(barrier)
    const expected = await planOfText(
      "select n.body, d.title from notes n join documents d on d.id = n.document and d.tenant = 't1' where n.id = 51",
      [],
    )
    expect(await planOf(mine, text)).toEqual(expected)
  })

  test.each<[string, unknown]>([
    ['equality', mine],
    ['membership', member],
  ])('%s: a key counts behind a barrier too', async (_, where) => {
    const leaky =
      "select title from main.documents where id = $1 and size / 2 > 1 and title like 't%'"
    expect((await printed(where, leaky)).sql).toContain(database().barrier)
    const plan = await planOf(where, leaky)
    expect(plan).toContain(database().byPrimaryKey)
  })

  test.each([
    'update main.documents set title = lower(title) where id = $1 and size / 2 > 99999',
    'delete from main.documents where id = $1 and size / 2 > 99999',
  ])('so it does in writes: %s', async (sql) => {
    const plan = await planOf(mine, sql)
    expect(plan).toContain(database().byPrimaryKey)
  })

  test.each<[string, boolean | 'MariaDB']>([
    ['select title from main.documents where owner = $1', false],
    ['select title from main.documents where owner = $1 and size / owner > 1', true],
    ['select size / owner from main.documents where owner = $1', false],
    ['select body from main.notes where id / document > $1', false],
    [
      'select n.body from main.notes n join main.documents d on d.id = n.document where n.id / n.document > $1',
      // MariaDB may evaluate the condition on d.id.
      'MariaDB',
    ],
  ])('a barrier stands where something may leak: %s', async (sql, isThere) => {
    const { sql: text } = await printed(mine, sql)
    const { adapterPackage, barrier } = database()
    const expected = isThere === 'MariaDB' ? adapterPackage === '@engine/adapters-mysql' : isThere
    expect(text.includes(barrier)).toBe(expected)
  })
})

function spying(factory: AdapterFactory, executions: Execution[]): AdapterFactory {
  return (options): Adapter => {
    const adapter = factory(options)
    return {
      ...adapter,
      execute: (execution) => {
        executions.push(execution)
        return adapter.execute(execution)
      },
    }
  }
}
