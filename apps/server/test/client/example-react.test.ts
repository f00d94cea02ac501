/** @module `src/generated` of the React example is the current output of the generator for its engine. */
import { readFileSync } from 'node:fs'
import { createClient } from '@engine/client'
import { generate } from '@engine/codegen'
import { silentLog } from '@engine/core'
import { notesConfig } from '@engine/example-react'
import { expect, test } from 'vitest'
import { serve } from '../../src/serve.ts'
import { createFolder } from '../support/folder.ts'

test('apps/example-react is up to date with its configuration', async () => {
  const folder = createFolder()
  const server = await serve({
    config: notesConfig({ folder: folder.path, page: 'http://localhost:5173' }),
    port: 0,
    host: '127.0.0.1',
    isDevelopment: true,
    log: silentLog,
  })
  const schema = await createClient({ url: server.url }).schema()
  await server.stop(0)
  folder.remove()
  expect(generate(schema, { format: 'drizzle', connections: ['main'] })).toBe(
    generated('schema.ts'),
  )
  expect(generate(schema, { format: 'types' })).toBe(generated('actions.ts'))
})

function generated(name: string): string {
  const file = new URL(`../../../example-react/src/generated/${name}`, import.meta.url)
  return readFileSync(file, 'utf8')
}
