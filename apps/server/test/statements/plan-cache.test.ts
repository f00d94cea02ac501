/** A cached statement is not parsed, bound or printed again. */

import { createEngine, type Engine } from '@engine/core'
import type { AdapterFactory } from '@engine/core/adapter'
import { createApp } from '@engine/http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import * as parserModule from '../../../../packages/core/src/compiler/sql/parser-module.ts'
import { openSqlite, type TestDatabase } from '../support/databases.ts'
import { adapters } from '../support/gateway.ts'
import { bearer, secret } from '../support/tokens.ts'

// Calls are counted; the real functions are called.
vi.mock('../../../../packages/core/src/compiler/sql/parser-module.ts', { spy: true })

let database: TestDatabase
let engine: Engine
let compiled: number

beforeEach(async () => {
  database = await openSqlite(
    "create table users (id integer primary key, name text); insert into users values (1, 'Ada'), (2, 'Bob')",
  )
  compiled = 0
  const counting: AdapterFactory = (options) => {
    const adapter = adapters['@engine/adapters-sqlite']?.(options)
    if (adapter === undefined) throw new Error('no adapter for SQLite')
    return {
      ...adapter,
      compile: (statement) => {
        compiled += 1
        return adapter.compile(statement)
      },
    }
  }
  engine = await createEngine(
    {
      connections: { main: database.url },
      auth: { secret },
      permissions: [
        { table: 'main.users', roles: ['clerk'], select: { where: { id: '$user.user_id' } } },
        { table: 'main.users', roles: ['boss'], select: {} },
      ],
    },
    { adapters: { '@engine/adapters-sqlite': counting } },
  )
  vi.mocked(parserModule.parseRaw).mockClear()
})
afterEach(async () => {
  await engine.close()
  await database.remove()
})

const sql = 'select name from main.users where id = $1'

async function ask(body: object, claims: object): Promise<unknown> {
  const response = await createApp(engine, { isDevelopment: true }).fetch(
    new Request('http://gateway.test/data', {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(await bearer({ ...claims })) },
      body: JSON.stringify({ sql, params: [1], method: 'get', ...body }),
    }),
  )
  return ((await response.json()) as { rows: unknown }).rows
}

function work(): { readonly parsed: number; readonly compiled: number } {
  return { parsed: vi.mocked(parserModule.parseRaw).mock.calls.length, compiled }
}

test('the same text again does no work, whatever the values, method and meta', async () => {
  const clerk = { roles: ['clerk'], user_id: 1 }
  expect(await ask({}, clerk)).toEqual(['Ada'])
  expect(work()).toEqual({ parsed: 1, compiled: 1 })
  expect(await ask({ params: [2] }, clerk)).toBeNull()
  expect(await ask({ method: 'all' }, clerk)).toEqual([['Ada']])
  expect(await ask({ method: 'execute', meta: true }, clerk)).toEqual([{ name: 'Ada' }])
  expect(work()).toEqual({ parsed: 1, compiled: 1 })
})

test('callers with the same rights share a plan; their values are their own', async () => {
  expect(await ask({}, { sub: 'a', roles: ['clerk'], user_id: 1 })).toEqual(['Ada'])
  expect(await ask({}, { sub: 'b', roles: ['clerk'], user_id: 2 })).toBeNull()
  expect(await ask({ params: [2] }, { sub: 'b', roles: ['clerk'], user_id: 2 })).toEqual(['Bob'])
  expect(work()).toEqual({ parsed: 1, compiled: 1 })
})

test('callers with other rights have a plan of their own', async () => {
  expect(await ask({ params: [2] }, { roles: ['clerk'], user_id: 1 })).toBeNull()
  expect(await ask({ params: [2] }, { roles: ['boss'] })).toEqual(['Bob'])
  expect(await ask({ params: [2] }, { roles: ['boss', 'clerk'], user_id: 1 })).toEqual(['Bob'])
  expect(await ask({ params: [2] }, { roles: ['clerk'] })).toBeNull()
  expect(work()).toEqual({ parsed: 4, compiled: 4 })
  expect(await ask({ params: [2] }, { roles: ['clerk', 'boss'], user_id: 7 })).toEqual(['Bob'])
  expect(work()).toEqual({ parsed: 4, compiled: 4 })
})

test('a statement that is refused is not kept', async () => {
  const refused = { sql: 'select lower(id) from main.users', params: [] }
  for (const times of [1, 2]) {
    expect(await ask(refused, { roles: ['boss'] })).toBeUndefined()
    expect(work()).toEqual({ parsed: times, compiled: 0 })
  }
})

test('plans live until the catalog changes', async () => {
  await ask({}, { roles: ['boss'] })
  await engine.refreshCatalog()
  await ask({}, { roles: ['boss'] })
  expect(work()).toEqual({ parsed: 1, compiled: 1 })
  await database.run('alter table users add column age integer')
  await engine.refreshCatalog()
  await ask({}, { roles: ['boss'] })
  expect(work()).toEqual({ parsed: 2, compiled: 2 })
})
