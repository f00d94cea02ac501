import type { Config } from '@engine/core'
import {
  documentOf,
  maskSecrets,
  parseConfig,
  restoreSecrets,
  withDocument,
} from '@engine/core/server'
import { expect, test } from 'vitest'
import { prepareDemo } from '../../src/demo/demo.ts'
import { parseServerConfig } from '../../src/parse-server-config.ts'
import { createFolder } from '../support/folder.ts'

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
