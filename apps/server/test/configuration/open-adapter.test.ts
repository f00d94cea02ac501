/** An adapter that the engine does not know: registered by name, URL scheme and factory, without any trait. */
import { connect as connectSqlite } from '@engine/adapters-sqlite'
import {
  type AdapterPackage,
  type Adapters,
  type Caller,
  createEngine,
  type Engine,
} from '@engine/core'
import { type Adapter, sqlOf } from '@engine/core/adapter'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'

const compiled: string[] = []

/** SQLite under another name, without traits. */
const unknown: AdapterPackage = {
  name: 'unheard-of',
  schemes: ['unheard'],
  connect: (options) => {
    const inner = connectSqlite({ ...options, url: options.url.slice('unheard:'.length) })
    const { traits: _, ...silent } = inner
    const adapter: Adapter = {
      ...silent,
      kind: 'unheard-of',
      compile: (statement) => {
        const result = inner.compile(statement)
        compiled.push(...result.steps.map(sqlOf))
        return result
      },
    }
    return adapter
  },
}

const adapters: Adapters = { '@acme/unheard-of': unknown }
const clerk: Caller = { kind: 'user', id: 'u', roles: ['clerk'], fields: {} }

let engine: Engine
let folder: TestFolder

beforeAll(async () => {
  folder = createFolder()
  const path = `${folder.path}/notes.db`
  const database = new Database(path)
  database.exec(
    `create table notes (id integer primary key, owner integer not null, text text not null unique);
     insert into notes values (1, 1, 'a'), (2, 2, 'b');
     create table owners (id integer primary key); insert into owners values (1), (2)`,
  )
  database.close()
  engine = await createEngine(
    {
      connections: { main: `unheard:${path}` },
      permissions: {
        notes: {
          table: 'main.notes',
          roles: ['clerk'],
          select: { where: { owner: 1 } },
          insert: { check: { owner: 1 } },
        },
        owners: { table: 'main.owners', roles: ['clerk'], select: {} },
      },
      open: true,
    },
    { adapters },
  )
})
afterAll(async () => {
  await engine?.close()
  folder?.remove()
})

async function ask(sql: string, caller: Caller = clerk): Promise<unknown> {
  const request = { sql, params: [], method: 'all', meta: false, signal: undefined } as const
  const { body } = await engine.query(request, caller)
  return JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array))
}

test('its connection has its name, and its statements are answered', async () => {
  const schema = await engine.describe()
  expect(JSON.stringify(schema)).toContain('"type":"unheard-of"')
  expect(await ask('select id from main.notes')).toEqual({ rows: [[1]] })
})

test('a leaky condition on one table sets a barrier before every filtered one', async () => {
  compiled.length = 0
  const sql = `select n.id from main.owners o join main.notes n on n.owner = o.id where 1 / o.id = 1`
  expect(await ask(sql)).toEqual({ rows: [[1]] })
  expect(compiled.join()).toMatch(/limit -1/i)
})

test('rows of a recursive query are counted', async () => {
  compiled.length = 0
  const sql = `with recursive r(n) as (select 1 union all select n + 1 from r where n < 3) select count(*) from r`
  expect(await ask(sql)).toEqual({ rows: [['3']] })
  expect(compiled.join()).toMatch(/row_number/i)
})

test('an unknown scheme is refused with those that are known', async () => {
  const opened = createEngine({ connections: { main: 'heard-of:x' }, open: true }, { adapters })
  await expect(opened).rejects.toMatchObject({
    details: { faults: [{ message: expect.stringContaining('expects unheard:, postgres://') }] },
  })
})

test('a package whose adapters have another name is refused', async () => {
  const misspelt = { ...unknown, name: 'heard-of' }
  const opening = createEngine(
    { open: true, connections: { main: `unheard:${folder.path}/notes.db` } },
    { adapters: { '@acme/unheard-of': misspelt } },
  )
  await expect(opening).rejects.toMatchObject({
    problem: 'invalidConfiguration',
    message:
      '@acme/unheard-of registers the name "heard-of", but the kind of its adapter is "unheard-of".',
  })
})
