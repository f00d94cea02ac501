import { existsSync, readFileSync } from 'node:fs'
import type { Config } from '@engine/core'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Accounts,
  type CallOptions,
  masterKey,
  openAccounts,
  signUp,
} from '../support/accounts.ts'

let node: Accounts
let token: string

const secretToken = 'sch3ma-t0ken'
const actions = {
  hello: { roles: ['user'], input: z.object({}), run: () => ({ hello: 'world' }) },
}
const config: Partial<Config> = {
  mode: 'interactive',
  audit: { enabled: true },
  schemaEndpoint: { enabled: true, token: secretToken },
  actions,
}

beforeEach(async () => {
  node = await openAccounts({}, { config })
  node.execute("insert into notes values (1, 'nobody', 'one'); create table logs (id integer)")
  await admin('POST', '/schema/refresh')
  token = (await signUp(node)).token
})
afterEach(() => node.close())

const admin = (method: string, path: string, options: CallOptions = {}) =>
  node.call(method, `/admin/api${path}`, { token: masterKey, ...options })
/** A change of the newest revision. */
const change = (method: string, path: string, body?: unknown, ifMatch = '*') =>
  admin(method, `/config${path}`, { body, headers: { 'if-match': ifMatch } })
const data = (sql: string, as = token) =>
  node.call('POST', '/data', { token: as, body: { sql, params: [], method: 'all' } })

const everyNote = { table: 'main.notes', roles: ['user'], select: {} }

describe('a stored configuration', () => {
  test('begins with that of the code, and is shown without secrets', async () => {
    const shown = await admin('GET', '/config')
    expect(shown.headers.get('etag')).toBe('"1"')
    expect(shown.body).toMatchObject({
      mode: 'interactive',
      masterKey: '[redacted]',
      schemaEndpoint: { enabled: true, token: '***' },
      permissions: { 'own-notes': { table: 'main.notes' } },
    })
    const { body } = await admin('GET', '/config/revisions')
    expect(body).toMatchObject({
      revisions: [{ revision: 1, author: 'admin', via: 'start', note: 'imported from code' }],
      next: null,
    })
    expect((await admin('GET', '/status')).body.configuration).toEqual({
      mode: 'interactive',
      isReadOnly: false,
      revision: 1,
      failure: null,
    })
  })

  test('changes hold for the next request, and are taken back by undo', async () => {
    expect((await data('select note from main.notes')).body.rows).toEqual([])
    const changed = await change('PATCH', '/permissions?note=open%20notes', { all: everyNote })
    expect(changed).toMatchObject({
      status: 200,
      body: { revision: 2, changes: [{ path: 'permissions.all', after: everyNote }] },
    })
    expect(changed.headers.get('etag')).toBe('"2"')
    expect((await data('select note from main.notes')).body.rows).toEqual([['one']])
    await change('PATCH', '/limits', { maxRows: 7 })
    expect((await change('POST', '/revisions/2/undo')).body).toMatchObject({
      revision: 4,
      changes: [{ path: 'permissions.all', before: everyNote }],
    })
    expect((await data('select note from main.notes')).body.rows).toEqual([])
    expect((await admin('GET', '/config/limits')).body).toEqual({ maxRows: 7 })
    expect((await admin('GET', '/config/revisions/2')).body).toMatchObject({
      note: 'open notes',
      document: { permissions: { all: everyNote }, schemaEndpoint: { token: '***' } },
    })
  })

  test('a change that meanwhile changed again is not taken back', async () => {
    await change('PATCH', '/limits', { maxRows: 7 })
    await change('PATCH', '/limits', { maxRows: 8 })
    expect(await change('POST', '/revisions/2/undo')).toMatchObject({
      status: 409,
      body: { error: 'CONFLICT', details: { paths: ['limits'] } },
    })
    expect(await change('POST', '/revisions/1/undo')).toMatchObject({ status: 404 })
    expect(await change('POST', '/revisions/9/undo')).toMatchObject({ status: 404 })
  })

  test('a change says what it starts from: 428 without, 409 with the changes of others', async () => {
    const path = '/config/limits'
    expect(await admin('PATCH', path, { body: {} })).toMatchObject({ status: 428 })
    expect(await change('PATCH', '/limits', { maxRows: 7 }, 'seven')).toMatchObject({ status: 400 })
    expect(await change('PATCH', '/limits', { maxRows: 7 }, '"1"')).toMatchObject({ status: 200 })
    expect(await change('PATCH', '/limits', { maxRows: 8 }, '"1"')).toMatchObject({
      status: 409,
      body: {
        details: {
          revision: 2,
          author: 'admin',
          changes: [{ path: 'limits', after: { maxRows: 7 } }],
        },
      },
    })
  })

  test('a dry run answers the changes and stores nothing', async () => {
    expect((await change('PATCH', '/limits?dryRun=true', { maxRows: 7 })).body).toEqual({
      revision: 1,
      changes: [{ path: 'limits', after: { maxRows: 7 } }],
      isDryRun: true,
    })
    expect((await change('PATCH', '/limits', null)).body).toEqual({ revision: 1, changes: [] })
    expect((await admin('GET', '/config/revisions')).body.revisions).toHaveLength(1)
  })

  test('who makes a change says so; a name has no control characters', async () => {
    const by = (author: string) => `/limits?author=${encodeURIComponent(author)}`
    await change('PATCH', by('Grace Hopper'), { maxRows: 7 })
    expect((await admin('GET', '/config/revisions')).body.revisions[0]).toMatchObject({
      revision: 2,
      author: 'Grace Hopper',
      via: 'admin',
    })
    expect(await change('PATCH', '/limits', { maxRows: 8 }, '"1"')).toMatchObject({
      status: 409,
      body: { details: { author: 'Grace Hopper' } },
    })
    const { body } = await admin('GET', '/audit?kind=admin&action=config-limits-changed')
    expect(body.entries).toMatchObject([{ facts: { revision: 2, author: 'Grace Hopper' } }])
    for (const name of ['a\nb', 'a\u202eb', ' ', 'a'.repeat(201)]) {
      expect(await change('PATCH', by(name), { maxRows: 9 })).toMatchObject({ status: 400 })
    }
  })

  test('faults are those of a file, with their paths, and nothing is stored', async () => {
    const faultsOf = async (path: string, body: unknown) => {
      const answer = await change('PATCH', path, body)
      expect(answer.status).toBe(422)
      return (answer.body.details.faults as { path: string }[]).map((fault) => fault.path)
    }
    const notes = { table: 'main.notes', roles: ['user'], select: { columns: ['nope'] } }
    expect(await faultsOf('/permissions', { a: notes })).toEqual([
      'permissions.a.select.columns[0]',
    ])
    expect(await faultsOf('', { limits: { maxRows: -1 }, masterKey: 'x', nope: 1 })).toEqual([
      'masterKey',
      'nope',
    ])
    expect(await faultsOf('/limits', { maxRows: -1, maxRow: 2 })).toEqual([
      'limits.maxRows',
      'limits.maxRow',
    ])
    expect(await faultsOf('/connections', { gone: 'postgres://a:b@127.0.0.1:1/x' })).toEqual([
      'connections.gone',
    ])
    expect(await faultsOf('/security', { adminIpAllowlist: ['10.0.0.0/8'] })).toEqual([
      'security.adminIpAllowlist',
    ])
    expect((await admin('GET', '/config/revisions')).body.revisions).toHaveLength(1)
  })

  test('actions are switched off and get other roles', async () => {
    const call = () => node.call('POST', '/actions/hello', { token, body: {} })
    expect((await call()).status).toBe(200)
    await change('PUT', '/actions/hello', { roles: ['staff'] })
    expect((await call()).status).toBe(403)
    await change('PUT', '/actions/hello', { enabled: false })
    expect((await call()).status).toBe(404)
    await change('DELETE', '/actions/hello')
    expect((await call()).status).toBe(200)
    expect(await change('PUT', '/actions/other', { enabled: false })).toMatchObject({
      status: 422,
      body: { details: { faults: [{ path: 'actions.other' }] } },
    })
  })

  test('each setting says where its value comes from', async () => {
    await change('PATCH', '', { limits: { maxRows: 7 }, actions: { hello: { enabled: false } } })
    const { body, headers, text } = await admin('GET', '/config/settings')
    expect(headers.get('etag')).toBe('"2"')
    const option = (path: string) =>
      (body.options as { readonly path: string }[]).find((each) => each.path === path)
    expect(option('limits.maxRows')).toEqual({
      path: 'limits.maxRows',
      value: 7,
      source: 'stored',
      code: null,
      builtIn: 10_000,
      isFixed: false,
    })
    expect(option('audit.enabled')).toMatchObject({ value: true, source: 'stored', code: true })
    expect(option('audit.retention')).toMatchObject({ value: '90d', source: 'built-in' })
    expect(option('schemaEndpoint.token')).toMatchObject({ value: '***', code: '***' })
    expect(body.actions).toEqual([
      {
        name: 'hello',
        description: null,
        isEnabled: false,
        roles: ['user'],
        source: 'stored',
        codeRoles: ['user'],
      },
    ])
    expect(text).not.toContain(secretToken)
  })

  test('what differs from the code is shown, without secrets', async () => {
    expect((await admin('GET', '/config/differences')).body).toEqual({ changes: [] })
    await change('PATCH', '', {
      audit: { enabled: false },
      limits: { maxRows: 7 },
      schemaEndpoint: { token: 'sch3ma-t0ken-2' },
    })
    const { body, text } = await admin('GET', '/config/differences')
    expect(body.changes).toEqual([
      { path: 'audit.enabled', before: true, after: false },
      { path: 'schemaEndpoint.token', before: '***', after: '***', isSecret: true },
      { path: 'limits', after: { maxRows: 7 } },
    ])
    expect(text).not.toContain('sch3ma')
  })

  test('roles are renamed and removed wherever they are named', async () => {
    expect((await admin('GET', '/config/roles')).body.roles).toEqual({
      user: { permissions: ['own-notes'], actions: ['hello'], channels: [] },
    })
    const { headers } = await admin('GET', '/config/roles')
    await change('PATCH', '/roles', { user: 'member' }, headers.get('etag') ?? '')
    expect((await admin('GET', '/config/roles')).body.roles).toEqual({
      member: { permissions: ['own-notes'], actions: ['hello'], channels: [] },
    })
    await change('PATCH', '/roles', { member: null })
    expect((await admin('GET', '/config/roles')).body.roles).toEqual({})
    expect((await admin('GET', '/config/export')).body).toMatchObject({
      permissions: {},
      actions: { hello: { enabled: false } },
    })
    expect(await change('PATCH', '/roles', { nope: 'x' })).toMatchObject({ status: 400 })
  })

  test('a connection is added, changed and removed, with what depends on it', async () => {
    const { connections } = (await admin('GET', '/config/export')).body
    await change('PUT', '/connections/second', connections.main)
    const select = { columns: ['note'] }
    await change('PUT', '/permissions/second', { table: 'second.notes', roles: ['user'], select })
    expect((await data('select note from second.notes')).body.rows).toEqual([['one']])
    const dependants = {
      permissions: ['second'],
      channels: [],
      isDefault: false,
      isUserTable: false,
    }
    expect((await admin('GET', '/config/connections/second/dependants')).body).toEqual(dependants)
    expect(await change('DELETE', '/connections/second')).toMatchObject({
      status: 409,
      body: { details: { dependants } },
    })
    expect(await change('DELETE', '/connections/second?withDependants=true')).toMatchObject({
      status: 200,
    })
    expect((await data('select note from second.notes')).status).toBe(404)
    expect(await change('DELETE', '/connections/second')).toMatchObject({ status: 404 })
  })

  test('a connection is tried before it is saved', async () => {
    const { connections } = (await admin('GET', '/config/export')).body
    const tried = (name: string, connection?: unknown) =>
      admin('POST', `/config/connections/${name}/test`, { body: { connection } })
    expect((await tried('main')).body).toMatchObject({
      isUp: true,
      kind: 'sqlite',
      tables: 2,
      canRead: true,
      canWrite: true,
      error: null,
      schemas: null,
    })
    expect((await tried('next', { url: connections.main, readOnly: true })).body).toMatchObject({
      isUp: true,
      canWrite: false,
    })
    expect((await tried('next', 'postgres://a:pa55word@127.0.0.1:1/x')).body).toMatchObject({
      isUp: false,
      error: { code: 'refused', hint: expect.stringContaining('port') },
    })
    expect((await tried('next', 'missing-folder/missing.db')).body).toMatchObject({
      isUp: false,
      error: { code: 'file' },
    })
    expect(existsSync('missing-folder')).toBe(false)
    expect(await tried('next', 5)).toMatchObject({ status: 422 })
    expect(await tried('next')).toMatchObject({ status: 404 })
  })

  test('export and import again: nothing differs', async () => {
    const { body } = await admin('GET', '/config/export')
    expect(await change('POST', '/import', body)).toMatchObject({
      status: 200,
      body: { revision: 1, changes: [] },
    })
  })

  test('every change is one event of the audit, with before and after', async () => {
    await change('PATCH', '/limits?note=why', { maxRows: 7 })
    await change('PATCH', '/limits', { maxRows: 7 })
    await change('PATCH', '/limits', { maxRows: -7 })
    const { body } = await admin('GET', '/audit?kind=admin&action=config-limits-changed')
    expect(body.entries).toMatchObject([
      { facts: { revision: 2, changes: [] } },
      { facts: { revision: 2, note: 'why', changes: [{ path: 'limits', after: { maxRows: 7 } }] } },
    ])
  })

  test('secrets are in no answer, no log, no audit entry and not in the file', async () => {
    const url = 'postgres://shop:pa55w0rd-x@127.0.0.1:1/x?authToken=t0ken-x'
    const secrets = /pa55w0rd-x|t0ken-x|sch3ma-t0ken/
    const texts = [
      (await admin('POST', '/config/connections/next/test', { body: { connection: url } })).text,
      (await change('PUT', '/connections/next', url)).text,
      (await change('PATCH', '/schemaEndpoint', { token: 'sch3ma-t0ken-2' })).text,
      (await change('PATCH', '/schemaEndpoint?dryRun=true', { token: 'x' })).text,
      (await admin('GET', '/config')).text,
      (await admin('GET', '/config/export')).text,
      (await admin('GET', '/config/revisions')).text,
      (await admin('GET', '/config/revisions/1')).text,
      (await admin('GET', '/config/revisions/2')).text,
      (await admin('GET', '/audit?limit=500')).text,
      (await admin('GET', '/audit/export')).text,
      node.log.join('\n'),
    ]
    for (const text of texts) expect(text).not.toMatch(secrets)
    const { serviceDatabase } = node.gateway.engine.settings
    for (const end of ['', '-wal']) {
      const file = `${serviceDatabase}${end}`
      if (existsSync(file)) expect(readFileSync(file, 'latin1')).not.toMatch(secrets)
    }
  })

  test('the last permission is kept where nobody would be anonymous without it', async () => {
    const { permissions } = (await admin('GET', '/config/export')).body
    expect(Object.keys(permissions)).toEqual(['own-notes'])
    // With auth, no permissions allow nothing.
    expect(await change('DELETE', '/permissions/own-notes')).toMatchObject({ status: 200 })
    expect((await data('select note from main.notes')).status).toBe(403)
  })
})

test('with admin.readOnly, reads work and changes are refused', async () => {
  const other = await openAccounts({}, { config: { ...config, admin: { readOnly: true } } })
  try {
    const call = (method: string, path: string, body?: unknown) =>
      other.call(method, `/admin/api/config${path}`, {
        token: masterKey,
        headers: { 'if-match': '*' },
        ...(body === undefined ? {} : { body }),
      })
    expect((await call('GET', '/export')).status).toBe(200)
    expect(await call('PATCH', '/limits', { maxRows: 1 })).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('read-only') },
    })
  } finally {
    await other.close()
  }
})

test('where code defines the configuration, reads work and changes are refused', async () => {
  const other = await openAccounts({}, { config: { ...config, mode: 'programmatic' } })
  try {
    const call = (method: string, path: string, body?: unknown) =>
      other.call(method, `/admin/api/config${path}`, {
        token: masterKey,
        headers: { 'if-match': '*' },
        ...(body === undefined ? {} : { body }),
      })
    expect((await call('GET', '/export')).body).toMatchObject({
      permissions: { 'own-notes': {} },
      schemaEndpoint: { token: '***' },
    })
    expect((await call('GET', '/permissions/own-notes')).status).toBe(200)
    expect((await call('GET', '/revisions')).body).toEqual({ revisions: [], next: null })
    expect((await call('GET', '/differences')).body).toEqual({ changes: [] })
    expect((await call('GET', '/settings')).body.options).toContainEqual(
      expect.objectContaining({ path: 'audit.enabled', value: true, source: 'code' }),
    )
    const changes = [
      ['PATCH', '', {}],
      ['POST', '/import', {}],
      ['PUT', '/limits', {}],
      ['DELETE', '/permissions/own-notes', undefined],
      ['POST', '/revisions/1/undo', undefined],
      ['PATCH', '/roles', {}],
      ['POST', '/connections/main/test', {}],
    ] as const
    for (const [method, path, body] of changes) {
      expect(await call(method, path, body)).toMatchObject({
        status: 409,
        body: { message: 'The configuration is defined in code.' },
      })
    }
  } finally {
    await other.close()
  }
})
