/** @module The example under `next dev`: Turbopack compiles what a test asks for, and nothing else. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

// Compiles two routes: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const example = join(import.meta.dirname, '..')
const next = join(example, 'node_modules', 'next', 'dist', 'bin', 'next')

let folder: string
let server: ChildProcess
let url: string
let said = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'engine-next-'))
  server = spawn(process.execPath, [next, 'dev', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: example,
    // Its own group: Next.js starts processes of its own.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      NODE_ENV: 'development',
      PATH: process.env['PATH'],
      HOME: folder,
      NODE_OPTIONS: '--conditions=@engine/source',
      NEXT_TELEMETRY_DISABLED: '1',
      SHOP_FOLDER: folder,
    },
  })
  url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      said += chunk
      const [, address] = /Local:\s+(http:\S+)/.exec(said) ?? []
      if (address !== undefined) resolve(address)
    }
    server.stdout?.on('data', read)
    server.stderr?.on('data', read)
    server.once('exit', () => reject(new Error(said)))
  })
})
afterAll(async () => {
  if (server?.pid !== undefined && server.exitCode === null) {
    const ended = new Promise((resolve) => server.once('exit', resolve))
    process.kill(-server.pid, 'SIGKILL')
    await ended
  }
  rmSync(folder, { recursive: true, force: true })
})

async function ask(path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(
    `${url}${path}`,
    body && {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    },
  )
  return { status: response.status, text: await response.text() }
}
const sql = (text: string, params: readonly unknown[] = []) =>
  ask('/api/engine/data', { sql: text, params, method: 'all' })

test('the page has the rows that a visitor may see', async () => {
  const { status, text } = await ask('/')
  expect(status, said).toBe(200)
  expect(text).toContain('<span>Lamp</span>')
  expect(text).toContain('<span>Chair</span>')
  expect(text).not.toMatch(/Secret stool|cost/)
})

test('the route answers statements under the same permissions', async () => {
  const products = await sql('select * from main.products where price < $1', [50])
  expect(products, said).toEqual({ status: 200, text: '{"rows":[[1,"Lamp",40]]}' })
  expect((await sql('select cost from main.products')).status).toBe(403)
  expect((await sql('delete from main.products')).status).toBe(403)
  expect((await ask('/api/engine/health/ready')).status).toBe(200)
  expect((await ask('/api/engine/nothing')).status).toBe(404)
})

test('neither Next.js nor the engine complains', () => {
  // On a busy machine Next.js takes the disk for a slow one.
  const aboutUs = said.replace(/^.*Slow filesystem detected.*$/m, '')
  expect(aboutUs).not.toMatch(/error|warn|⨯|⚠/i)
})
