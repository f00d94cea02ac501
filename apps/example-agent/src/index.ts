/** @module An API key for a program that reads. Run it: `npm run program -- apps/example-agent/src/index.ts`, in the repository's root. */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog } from '@engine/core'
import { serve } from '@engine/server'
import { createTool } from './query-tool.ts'
import { shopConfig } from './shop-config.ts'

const folder = mkdtempSync(join(tmpdir(), 'engine-agent-'))
const masterKey = randomBytes(32).toString('base64')
const server = await serve({
  config: shopConfig(folder, masterKey),
  port: 0,
  host: '127.0.0.1',
  isDevelopment: false,
  log: silentLog,
})

interface ApiKey {
  readonly id: string
  readonly key: string
}

/** As `engine-server keys create --name agent --role agent --expires 30d` does. */
async function createKey(): Promise<ApiKey> {
  const expiresAt = new Date(Date.now() + 30 * 24 * 3_600_000).toISOString()
  const response = await fetch(`${server.url}/admin/api/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${masterKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'agent', roles: ['agent'], expiresAt }),
  })
  const { apiKey } = (await response.json()) as { readonly apiKey: ApiKey }
  return apiKey
}

const { id, key } = await createKey()
const tool = createTool({ url: server.url, key })

const questions = [
  'select name, price from main.products order by price desc',
  'select country, count(*) from main.customers group by country order by country',
  'select email from main.customers',
  "update main.products set price = '0.01'",
  'drop table main.products',
]
for (const sql of questions) console.log(`${sql}\n  ${await tool(sql)}`)

const headers = { Authorization: `Bearer ${masterKey}` }
await fetch(`${server.url}/admin/api/api-keys/${id}`, { method: 'DELETE', headers })
console.log(`After the key was revoked\n  ${await tool('select 1')}`)

await server.stop(0)
rmSync(folder, { recursive: true })
