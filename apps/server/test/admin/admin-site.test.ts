/** @module The files at `/admin`: who gets them, and where. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { serveAdmin } from '@engine/admin'
import { silentLog } from '@engine/core'
import { createGateway, type Gateway } from '@engine/http'
import { serviceDatabases } from '@engine/test-stores'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { masterKey } from '../support/accounts.ts'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { adapters } from '../support/gateway.ts'

let folder: TestFolder
let gateway: Gateway
beforeEach(() => {
  folder = createFolder()
  mkdirSync(join(folder.path, 'assets'))
  writeFileSync(join(folder.path, 'index.html'), '<script src="./assets/main.js"></script>')
  writeFileSync(join(folder.path, 'assets', 'main.js'), 'export {}')
})
afterEach(async () => {
  await gateway.close()
  folder.remove()
})

async function open(isInstalled: boolean, basePath?: string): Promise<void> {
  gateway = await createGateway(
    {
      connections: { main: { url: `${folder.path}/shop.db`, create: true } },
      service_db: `${folder.path}/service.db`,
      masterKey,
      open: true,
    },
    {
      adapters,
      serviceDatabases,
      log: silentLog,
      adminSite: isInstalled ? serveAdmin({ directory: folder.path }) : undefined,
      ...(basePath === undefined ? {} : { basePath }),
    },
  )
}

async function get(path: string, { ip = '127.0.0.1', method = 'GET', token = '' } = {}) {
  const env = { incoming: { socket: { remoteAddress: ip } } }
  const headers = token === '' ? {} : { authorization: `Bearer ${token}` }
  const request = new Request(`http://gateway.test${path}`, { method, headers })
  const response = await gateway.app.fetch(request, env)
  return { status: response.status, text: await response.text() }
}

test('pages need no key, but an address of the list; the API needs both', async () => {
  await open(true)
  for (const path of ['/admin', '/admin/', '/admin/audit', '/admin/schema/a/b']) {
    expect(await get(path)).toEqual({
      status: 200,
      text: '<script src="/admin/assets/main.js"></script>',
    })
    expect((await get(path, { ip: '203.0.113.1' })).status).toBe(403)
    expect((await get(path, { method: 'DELETE' })).status).toBe(405)
  }
  expect(await get('/admin/assets/main.js')).toEqual({ status: 200, text: 'export {}' })
  for (const path of ['/admin/api', '/admin/api/', '/admin/api/nothing', '/admin/api/status']) {
    expect((await get(path)).status).toBe(401)
  }
  expect((await get('/admin/api/nothing', { token: masterKey })).status).toBe(404)
})

test('under a path of its host, the page names its files there', async () => {
  await open(true, '/api/engine')
  expect(await get('/api/engine/admin/audit')).toEqual({
    status: 200,
    text: '<script src="/api/engine/admin/assets/main.js"></script>',
  })
  expect((await get('/api/engine/admin/assets/main.js')).status).toBe(200)
  expect((await get('/api/engine/admin/api/status')).status).toBe(401)
})

test('where the pages are not installed, there is nothing at /admin', async () => {
  await open(false)
  expect((await get('/admin')).status).toBe(401)
  expect((await get('/admin', { token: masterKey })).status).toBe(404)
  expect((await get('/admin/api/status', { token: masterKey })).status).toBe(200)
})
