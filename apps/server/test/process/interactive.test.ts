/** An empty engine that is set up in the administrator's pages: `engine-server --interactive`. */
import { readFileSync, statSync } from 'node:fs'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

let program: Program
beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

const path = (name: string) => `${program.folder.path}/${name}`
const read = (name: string) => readFileSync(path(name), 'utf8')

test('an empty directory gets a configuration without databases, and keys that only its owner reads', async () => {
  const server = program.start(['--interactive', '--port', '0'])
  const url = await server.ready()
  expect(JSON.parse(read('engine.config.json'))).toMatchObject({
    mode: 'interactive',
    connections: {},
  })
  for (const name of ['master-key', 'auth-secret']) {
    expect(statSync(path(`.engine/${name}`)).mode & 0o777).toBe(0o600)
    expect(read('engine.config.json')).not.toContain(read(`.engine/${name}`).trim())
  }
  expect(read('.engine/.gitignore')).toBe('*\n')
  const authorization = `Bearer ${read('.engine/master-key').trim()}`
  const status = await fetch(`${url}/admin/api/status`, { headers: { authorization } })
  expect(await status.json()).toMatchObject({
    isOpen: false,
    connections: {},
    permissions: 0,
    configuration: { mode: 'interactive', revision: 1 },
  })
  const body = JSON.stringify({ sql: 'select 1', params: [], method: 'all' })
  const headers = { 'content-type': 'application/json' }
  const asked = await fetch(`${url}/data`, { method: 'POST', headers, body })
  expect(asked.status).toBeGreaterThanOrEqual(400)
  expect(server.stderr()).toContain(`${url}/admin`)
  expect(server.stderr()).not.toContain(authorization.slice('Bearer '.length))
})

test('it starts again with the same keys, with and without the argument', async () => {
  for (const args of [['--interactive'], ['--interactive'], []]) {
    const server = program.start([...args, '--port', '0'])
    await server.ready()
    server.signal('SIGTERM')
    expect(await server.exit()).toBe(0)
  }
  expect(read('.engine/master-key').trim()).toHaveLength(43)
})

test.each([
  [['--interactive', '--demo'], '--demo and --interactive'],
  [['--interactive', '--config', 'a.json'], '--interactive and --config'],
])('%j is refused', async (args, message) => {
  const stderr = expect.stringContaining(message)
  expect(await program.run(args)).toMatchObject({ code: 2, stderr })
})

test('a configuration in code is not replaced', async () => {
  program.folder.write(
    'engine.config.json',
    '{"connections":{"main":{"url":"a.db","create":true}}}',
  )
  const stderr = expect.stringContaining('defines the configuration in code')
  expect(await program.run(['--interactive'])).toMatchObject({ code: 2, stderr })
})

test('production gets no keys by itself', async () => {
  const stderr = expect.stringContaining('masterKey of your own')
  const outcome = await program.run(['--interactive'], { NODE_ENV: 'production' })
  expect(outcome).toMatchObject({ code: 2, stderr })
})
