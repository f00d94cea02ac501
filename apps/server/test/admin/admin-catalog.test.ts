/** @module The catalog, rows of a table, and statements as a caller of choice. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Accounts, masterKey, openAccounts, readNotes, signUp } from '../support/accounts.ts'

let accounts: Accounts
beforeEach(async () => {
  accounts = await openAccounts({}, { config: { audit: { enabled: true } } })
})
afterEach(() => accounts.close())

const get = (path: string) => accounts.call('GET', path, { token: masterKey })
const query = (body: unknown) =>
  accounts.call('POST', '/admin/api/query', { body, token: masterKey })

describe('the catalog', () => {
  test('the catalog has tables, columns and keys of every connection', async () => {
    const { status, body } = await get('/admin/api/catalog')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      unreached: [],
      connections: {
        main: {
          type: 'sqlite',
          tables: {
            notes: {
              kind: 'table',
              columns: { id: { type: 'integer', primaryKey: true }, owner: { type: 'text' } },
              relationships: {},
              natives: { id: { type: 'INTEGER' } },
            },
          },
        },
      },
    })
  })

  test('rules of a role are guessed where the program has a guess', async () => {
    const path = '/admin/api/catalog/rules?connection=main'
    expect((await get(path)).status).toBe(404)
    await accounts.close()
    const guess = { scopes: [], scope: undefined, tables: {} }
    const asked: unknown[] = []
    accounts = await openAccounts(
      {},
      {
        guessRules: async ({ name }, scope) => {
          asked.push([name, scope])
          return guess
        },
      },
    )
    expect(await get(`${path}&by=owner&field=team`)).toMatchObject({
      status: 200,
      body: { scopes: [], tables: {} },
    })
    expect(asked).toEqual([['main', { column: 'owner', field: 'team' }]])
    expect((await get('/admin/api/catalog/rules?connection=none')).status).toBe(404)
    expect((await get(`${path}&field=$x`)).status).toBe(400)
  })

  test('a few rows are read with full rights, and that is recorded', async () => {
    accounts.execute("insert into notes (owner, note) values ('u1', 'one'), ('u2', 'two')")
    const answer = await get('/admin/api/catalog/rows?connection=main&table=notes&limit=1')
    expect(answer).toMatchObject({
      status: 200,
      body: { body: { rows: [[1, 'u1', 'one']], columns: [{ name: 'id' }, {}, {}] } },
    })
    const audit = await get('/admin/api/audit?kind=admin')
    expect(audit.body.entries).toMatchObject([
      { action: 'rows-read', facts: { table: 'main.notes' } },
    ])
  })

  test.each(['nothing', 'notes" limit 1 --', 'sqlite_master'])('%s is no table', async (table) => {
    const path = `/admin/api/catalog/rows?connection=main&table=${encodeURIComponent(table)}`
    expect((await get(path)).status).toBe(404)
  })

  test('names with quotes and dots stay names', async () => {
    accounts.execute('create table "a""b.c; drop table notes" (x integer)')
    await accounts.call('POST', '/admin/api/schema/refresh', { token: masterKey })
    const name = encodeURIComponent('a"b.c; drop table notes')
    const answer = await get(`/admin/api/catalog/rows?connection=main&table=${name}`)
    expect(answer).toMatchObject({ status: 200, body: { rowCount: 0 } })
  })
})

describe('a statement as somebody', () => {
  test('a statement as somebody answers what that caller reads through /data', async () => {
    const ada = await signUp(accounts)
    accounts.execute(
      `insert into notes (owner, note) values ('${ada.id}', 'mine'), ('u2', 'theirs')`,
    )
    const sql = 'select note from main.notes'
    const asUser = await query({ sql, as: { id: ada.id, roles: ['user'] } })
    const own = await readNotes(accounts, ada.token)
    expect(asUser.body.body.rows).toEqual([['mine']])
    const rows = (own.body.rows ?? own.body) as unknown
    expect(rows).toEqual(asUser.body.body.rows)
    expect((await query({ sql, token: ada.token })).body.body.rows).toEqual([['mine']])
    expect((await query({ sql, as: 'admin' })).body.rowCount).toBe(2)
  })

  test('without rights it is refused as it would be, and never without a subject', async () => {
    const sql = 'select note from main.notes'
    expect(await query({ sql, as: 'anonymous' })).toMatchObject({ status: 403 })
    expect(await query({ sql })).toMatchObject({ status: 400 })
    expect(await query({ sql, as: 'admin', token: 'x' })).toMatchObject({ status: 400 })
  })

  test('a statement as somebody is recorded twice: as the statement, and as the administrator who sent it', async () => {
    const sql = 'select note from main.notes'
    await query({ sql, as: { id: 'u1', roles: ['user'] } })
    const audit = await get('/admin/api/audit')
    expect(audit.body.entries).toMatchObject([
      { kind: 'admin', action: 'query', caller: 'admin', facts: { as: { roles: ['user'] } } },
      {
        kind: 'query',
        via: 'admin',
        caller: 'admin',
        sql,
        facts: { as: { kind: 'user', id: 'u1', roles: ['user'] } },
      },
    ])
  })
})
