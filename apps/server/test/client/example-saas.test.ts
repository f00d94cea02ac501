/** @module `src/generated` of the SaaS example is the current output of the generator for its engine. */
import { createClient } from '@engine/client'
import { generate } from '@engine/codegen'
import { silentLog } from '@engine/core'
import { saasConfig } from '@engine/example-saas'
import { describePostgres } from '@engine/test-databases/vitest'
import { expect, test } from 'vitest'
import { serve } from '../../src/serve.ts'
import { createFolder } from '../support/folder.ts'
import { createSaasDatabase } from '../support/saas-database.ts'

describePostgres('apps/example-saas', () => {
  test('apps/example-saas is up to date with its configuration', async () => {
    const folder = createFolder()
    const server = await serve({
      config: saasConfig({
        database: await createSaasDatabase(),
        serviceDatabase: `${folder.path}/engine.db`,
        page: 'http://localhost:5173',
      }),
      port: 0,
      host: '127.0.0.1',
      isDevelopment: true,
      log: silentLog,
    })
    const schema = await createClient({ url: server.url }).schema()
    await server.stop(0)
    folder.remove()
    const tables = generate(schema, { format: 'drizzle', connections: ['main'] })
    await expect(tables).toMatchFileSnapshot(generated('schema.ts'))
    await expect(generate(schema, { format: 'types' })).toMatchFileSnapshot(generated('actions.ts'))
  })
})

function generated(name: string): string {
  return `${import.meta.dirname}/../../../example-saas/src/generated/${name}`
}
