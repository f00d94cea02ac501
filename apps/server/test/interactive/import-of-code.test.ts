import type { Config } from '@engine/core'
import {
  documentOf,
  maskSecrets,
  parseConfig,
  restoreSecrets,
  withDocument,
} from '@engine/core/server'
import { expect, test, vi } from 'vitest'
import { parseServerConfig } from '../../src/configuration/parse-server-config.ts'
import { prepareDemo } from '../../src/demo/demo.ts'
import { type Accounts, masterKey, openAccounts } from '../support/accounts.ts'
import { createFolder } from '../support/folder.ts'

// Opens several databases: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

test("the demo's configuration, stored, exported and imported again, is the same configuration", async () => {
  const folder = createFolder()
  try {
    const { config } = parseServerConfig((await prepareDemo(folder.path)).config)
    const masterKey = 'a master key of at least thirty-two bytes'
    const code: Config = { ...config, mode: 'interactive', masterKey }
    const stored = documentOf(code)
    const exported = JSON.parse(JSON.stringify(maskSecrets(stored)))
    expect(restoreSecrets(exported, stored)).toEqual({ document: stored, faults: [] })
    const { permissions, ...served } = parseConfig(withDocument(code, stored))
    const { permissions: written, ...inCode } = parseConfig(code)
    expect(served).toEqual(inCode)
    expect(permissions.size).toBe(written.size)
    for (const permission of written.values()) {
      expect([...permissions.values()]).toContainEqual(permission)
    }
  } finally {
    folder.remove()
  }
})

test("over HTTP: the demo's configuration, exported, imported and exported again, is the same text", async () => {
  const folder = createFolder()
  const nodes: Accounts[] = []
  const open = async (config: Partial<Config>) => {
    const node = await openAccounts({}, { config: { mode: 'interactive', ...config } })
    nodes.push(node)
    const admin = (method: string, path: string, body?: unknown) =>
      node.call(method, `/admin/api/config${path}`, {
        token: masterKey,
        headers: { 'if-match': '*' },
        ...(body === undefined ? {} : { body }),
      })
    return { export: async () => (await admin('GET', '/export')).text, admin }
  }
  try {
    const { config } = parseServerConfig((await prepareDemo(folder.path)).config)
    const { connections, permissions, schemaEndpoint, auth } = config
    const demo = await open({ connections, permissions, schemaEndpoint, auth } as Partial<Config>)
    const text = await demo.export()
    const document = JSON.parse(text) as { readonly permissions: object }
    expect(Object.keys(document.permissions)).toHaveLength(
      Object.keys(permissions as object).length,
    )
    const same = { status: 200, body: { revision: 1, changes: [] } }
    expect(await demo.admin('POST', '/import', document)).toMatchObject(same)
    expect(await demo.export()).toBe(text)

    const empty = await open({ connections: {}, permissions: {} })
    expect(await empty.export()).not.toBe(text)
    const imported = await empty.admin('POST', '/import', document)
    expect(imported).toMatchObject({ status: 200, body: { revision: 2 } })
    const again = await empty.export()
    expect(again).toBe(text)
    const back = await demo.admin('POST', '/import?dryRun=true', JSON.parse(again))
    expect(back).toMatchObject(same)
  } finally {
    await Promise.all(nodes.map((node) => node.close()))
    folder.remove()
  }
})
