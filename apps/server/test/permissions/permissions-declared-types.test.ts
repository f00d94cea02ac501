/** Types that depend on stored rows are visible to callers who may not see those rows, unless types are declared. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, GatewayError } from '@engine/core'
import { describeEachMysql } from '@engine/test-databases/vitest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { mysqlOpener, openSqlite, type TestDatabase } from '../support/databases.ts'
import { openGateway, type TestGateway } from '../support/gateway.ts'

const big = `${2n ** 40n}`
const uuid = 'c56a4180-65aa-42ec-a945-5fd21dec0538'

const statements = [
  'select * from main.notes',
  'select n + 1, n * 2, code, n::text from main.notes',
  'select 2147483647 + n from main.notes',
  "select n from main.notes where code = 'plain'",
  "select n from main.notes where code = 'C56A4180-65AA-42EC-A945-5FD21DEC0538'",
  'select n from main.notes where code = $1',
  'select n from main.notes where n = $1',
  'select sum(n), max(code), count(*) from main.notes',
  "select code || 'x' from main.notes",
  "insert into main.notes (id, owner, n, code) values (9, 'mine', 3000000000, 'x')",
  "insert into main.notes (id, owner, n, code) values ('1', 'mine', 1, 'x')",
  'select id from main.notes order by code, n',
]

const parameters: Readonly<Record<number, unknown>> = { 5: 'plain', 6: 3_000_000_000 }

type ConnectionConfig = Config['connections'][string]

/** Gateways for connections that differ only in rows that the caller may not see. */
async function answersOf(connections: readonly ConnectionConfig[]): Promise<readonly string[]> {
  const answers: string[] = []
  for (const connection of connections) {
    const gateway: TestGateway = await openGateway(
      {
        connections: { main: connection },
        permissions: {
          notes: {
            table: 'main.notes',
            roles: ['anonymous'],
            select: { columns: ['id', 'n', 'code'], where: { owner: 'mine' } },
            insert: { columns: ['id', 'owner', 'n', 'code'], check: { owner: 'mine' } },
          },
        },
      },
      { isDevelopment: false },
    )
    const headers = { 'x-request-id': 'same' }
    const given: unknown[] = []
    for (const [i, sql] of statements.entries()) {
      const params = i in parameters ? [parameters[i]] : []
      const { status, body } = await gateway.data(
        { sql, params, method: 'all', meta: true },
        headers,
      )
      given.push([sql, status, body])
    }
    answers.push(JSON.stringify(given, null, 1))
    await gateway.close()
  }
  return answers
}

async function differ(connections: readonly ConnectionConfig[]): Promise<boolean> {
  const [one, other] = await answersOf(connections)
  return one !== other
}

async function expectSame(connections: readonly ConnectionConfig[]): Promise<string> {
  const [one = '', other = ''] = await answersOf(connections)
  expect(one).toBe(other)
  return one
}

const table = (code: string) => `
  create table notes (id integer primary key, owner varchar(20), n integer, code ${code});
  insert into notes values (1, 'mine', 5, '${uuid}');`
const hidden = [
  `insert into notes values (2, 'theirs', 6, '${uuid}')`,
  `insert into notes values (2, 'theirs', ${big}, 'plain')`,
]

/** The message for a configuration that is refused. */
async function faultsOf(connection: ConnectionConfig): Promise<unknown> {
  try {
    await (await openGateway({ connections: { main: connection } })).close()
  } catch (error) {
    return error instanceof GatewayError ? error.details?.['faults'] : error
  }
  return undefined
}

describe('on SQLite', () => {
  let databases: TestDatabase[] = []
  beforeEach(async () => {
    databases = await Promise.all(hidden.map((row) => openSqlite(table('text') + row)))
  })
  afterEach(async () => {
    for (const database of databases) await database.remove()
  })
  const over = (more: object) => databases.map(({ url }) => ({ url, ...more }))

  test('by default a hidden integer changes the type of its column', async () => {
    expect(await differ(over({}))).toBe(true)
  })

  test('declared types are the same whatever is hidden', async () => {
    expect(await expectSame(over({ types: 'declared' }))).toContain('integer')
  })

  test('so is the declared type of a single column', async () => {
    const columnTypes = { notes: { n: 'bigint', id: 'integer' } }
    expect(await expectSame(over({ columnTypes }))).toContain('bigint')
  })

  test('types for what is not there, or is no integer, keep it from starting', async () => {
    const [{ url } = { url: '' }] = databases
    const columnTypes = { notes: { code: 'bigint', m: 'bigint' }, note: { n: 'bigint' } }
    expect(await faultsOf({ url, columnTypes })).toEqual([
      {
        path: 'connections.main.columnTypes.notes.code',
        message: 'the column is declared as TEXT: only that of an integer can be chosen',
      },
      expect.objectContaining({ path: 'connections.main.columnTypes.notes.m' }),
      expect.objectContaining({ path: 'connections.main.columnTypes.note' }),
    ])
  })
})

describe('in CSV files', () => {
  let folder = ''
  const rows = [`2,theirs,6,${uuid}`, `2,theirs,${big},plain`]
  const files: readonly string[] = ['same', 'other']
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'engine-declared-'))
    for (const [i, name] of files.entries()) {
      mkdirSync(join(folder, name))
      const text = `id,owner,n,code\n1,mine,5,${uuid}\n${rows[i]}\n`
      writeFileSync(join(folder, name, 'notes.csv'), text)
    }
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const over = (more: object) =>
    files.map((name) => ({ directory: join(folder, name), writable: true, ...more }))

  test('by default a hidden value changes the type of its column', async () => {
    expect(await differ(over({}))).toBe(true)
  })

  test('declared types are the same whatever is hidden, and a key is one that is named', async () => {
    const tables = { notes: { types: { id: 'integer', n: 'bigint' }, key: 'id' } }
    expect(await expectSame(over({ types: 'declared', tables }))).toContain('bigint')
    expect(await expectSame(over({ types: 'declared' }))).not.toContain('bigint')
  })

  test('a hidden row that shares a value is no reason to have no key', async () => {
    const write = () => {
      for (const name of files) {
        const id = name === 'same' ? 1 : 2
        const text = `id,owner,n,code\n1,mine,5,a\n${id},theirs,5,b\n`
        writeFileSync(join(folder, name, 'notes.csv'), text)
      }
    }
    write()
    expect(await differ(over({}))).toBe(true)
    write()
    await expectSame(over({ types: 'declared', tables: { notes: { types: { n: 'integer' } } } }))
  })
})

describeEachMysql('declared types', (server) => {
  let databases: TestDatabase[] = []
  beforeEach(async () => {
    databases = await Promise.all(
      hidden.map((row) => mysqlOpener(server)(table('char(36)') + small(row))),
    )
  })
  afterEach(async () => {
    for (const database of databases) await database.remove()
  })
  /** An INT of MySQL cannot store a larger number. */
  const small = (row: string) => row.replace(big, '6')
  const over = (more: object) => databases.map(({ url }) => ({ url, ...more }))

  test('by default a hidden text changes the type of its column', async () => {
    expect(await differ(over({}))).toBe(true)
  })

  test('declared types are the same whatever is hidden', async () => {
    expect(await expectSame(over({ types: 'declared' }))).toContain('character(36)')
  })

  test('so is the declared type of a single column', async () => {
    await expectSame(over({ columnTypes: { notes: { code: 'char(36)' } } }))
    const [, mixed] = over({ columnTypes: { notes: { code: 'uuid' } } })
    expect((await answersOf([mixed ?? '']))[0]).toContain('uuid')
  })

  test('types that the column cannot have keep it from starting', async () => {
    const [{ url } = { url: '' }] = databases
    const columnTypes = { notes: { code: 'text', n: 'bigint' } }
    expect(await faultsOf({ url, columnTypes })).toEqual([
      {
        path: 'connections.main.columnTypes.notes.n',
        message: expect.stringMatching(
          /^the column is a int(\(11\))?: only that of a char\(36\) can be chosen$/,
        ),
      },
      {
        path: 'connections.main.columnTypes.notes.code',
        message: 'expects uuid or char(36)',
      },
    ])
  })
})
