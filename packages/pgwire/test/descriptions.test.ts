/** What a client is told about a statement is what its caller may see. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GatewayError } from '@engine/core'
import type { AuthProvider } from '@engine/core/server'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openWireServer, type WireServer } from './support/wire-server.ts'

/** The password is the role. */
const provider: AuthProvider = {
  authenticate: () => {
    throw new GatewayError('unauthorized', 'no tokens')
  },
  authenticatePassword: async (_user, password) => ({
    caller: { kind: 'user', id: password, roles: [password], fields: {} },
    credential: 'session',
    credentialId: undefined,
    expiresAtMs: undefined,
  }),
}

let folder: string
let wire: WireServer

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engine-wire-'))
  const path = join(folder, 'node_modules', '@electric-sql', 'pglite')
  mkdirSync(path, { recursive: true })
  const main = { name: '@electric-sql/pglite', version: '0.0.0', type: 'module', exports: './a.js' }
  writeFileSync(join(path, 'package.json'), JSON.stringify(main))
  writeFileSync(join(path, 'a.js'), 'throw new Error("broken")')
  wire = await openWireServer({
    provider,
    directory: folder,
    config: {
      permissions: {
        all: { table: 'main.items', roles: ['boss'], select: {} },
        few: { table: 'main.items', roles: ['clerk'], select: { columns: ['id'] } },
      },
    },
    pgWire: { catalog: 'pglite', auth: { strategy: ['password'] } },
  })
})
afterEach(async () => {
  await wire.close()
  rmSync(folder, { recursive: true })
})

test('where the catalog has no numbers of tables, too', async () => {
  const [host, port] = wire.address.split(':')
  const columnsOf = async (password: string) => {
    const client = new pg.Client({ host, port: Number(port), user: 'a', password, database: 'x' })
    await client.connect()
    try {
      const { fields } = await client.query({
        text: 'select * from main.items where id < $1',
        values: [3],
      })
      return fields.map(({ name }) => name)
    } finally {
      await client.end()
    }
  }
  expect(await columnsOf('boss')).toContain('name')
  expect(await columnsOf('clerk')).toEqual(['id'])
})
