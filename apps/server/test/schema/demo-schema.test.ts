/** The compiler checks the permissions of the demo shop against the schema that `engine-codegen` generates for it. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from '@engine/codegen'
import type { SchemaDocument } from '@engine/contract'
import { expect, test } from 'vitest'
import { createDemoDatabase } from '../../src/demo/demo-database.ts'
import { demoPermissions } from '../../src/demo/demo-permissions.ts'
import { openGateway } from '../support/gateway.ts'

test('the schema of the demo is what is generated of its database, and the permissions fit it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'engine-demo-'))
  const path = join(folder, 'demo.db')
  createDemoDatabase(path)
  const gateway = await openGateway({
    connections: { main: path },
    permissions: demoPermissions,
    schemaEndpoint: true,
  })
  try {
    const answer = await gateway.fetch(new Request('http://gateway.test/schema'))
    const code = generate((await answer.json()) as SchemaDocument, { format: 'permissions' })
    const file = fileURLToPath(new URL('../../src/demo/demo-schema.ts', import.meta.url))
    expect(readFileSync(file, 'utf8')).toBe(code)
  } finally {
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  }
})
