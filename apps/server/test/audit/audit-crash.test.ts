import { openAuditReader } from '@engine/core/server'
import { openStore } from '@engine/core/store'
import { serviceDatabases } from '@engine/test-stores'
import Database from 'better-sqlite3'
import { afterEach, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import { auditSettings } from './settings.ts'

let program: Program
afterEach(() => program.close())

interface Running {
  readonly url: string
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>
}

async function start(): Promise<Running> {
  program = createProgram()
  const main = new Database(`${program.folder.path}/main.db`)
  main.exec('create table notes (id integer primary key)')
  main.close()
  program.folder.write(
    'engine.config.json',
    JSON.stringify({
      connections: { main: 'main.db' },
      service_db: 'service.db',
      audit: { enabled: true },
      port: 0,
    }),
  )
  const server = program.start([])
  const url = await server.ready()
  return {
    url,
    end: (signal) => {
      server.signal(signal)
      return server.exit()
    },
  }
}

async function written(): Promise<readonly (string | null)[]> {
  const store = await openStore({ url: `${program.folder.path}/service.db`, serviceDatabases })
  try {
    const reader = await openAuditReader({ store, settings: auditSettings, secret: undefined })
    return (await reader.search({ limit: 10_000 })).map(({ sql }) => sql)
  } finally {
    await store.close()
  }
}

const ask = (url: string, i: number) =>
  fetch(`${url}/data`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ sql: `select ${i}`, params: [], method: 'all' }),
  }).then((response) => response.json())

test('a killed server has lost the last moment only: what is kept has no gap', async () => {
  const { url, end } = await start()
  let asked = 0
  const askMore = async (count: number) => {
    for (const last = asked + count; asked < last; asked += 1) await ask(url, asked)
  }
  await askMore(50)
  await vi.waitFor(async () => expect(await written()).toHaveLength(50), { timeout: 10_000 })
  await askMore(200)
  await end('SIGKILL')
  const kept = await written()
  expect(kept.length).toBeGreaterThanOrEqual(50)
  expect(kept.toReversed()).toEqual(kept.map((_, i) => `select ${i}`))
})

test('a server that gets a stop signal has lost nothing at all', async () => {
  const { url, end } = await start()
  for (let i = 0; i < 100; i += 1) await ask(url, i)
  expect(await end('SIGTERM')).toBe(0)
  expect(await written()).toHaveLength(100)
})
