/** @module `npm create @engine` from a registry: a folder with a server for a database, that starts and has right types. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { publishLocally } from '../src/index.ts'

// Installs, builds and starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 600_000 })

const run = promisify(execFile)

test('npm create @engine', async () => {
  const registry = await publishLocally()
  onTestFinished(() => registry.stop())
  const root = await realpath(await mkdtemp(join(tmpdir(), 'engine-new-')))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  const database = new DatabaseSync(join(root, 'shop.db'))
  database.exec('create table users (id integer primary key, email text, password_hash text)')
  database.close()
  const userConfig = join(root, 'npmrc')
  await writeFile(userConfig, `@engine:registry=${registry.url}\n`)
  const { CI: _, NODE_ENV: __, INIT_CWD: ___, ...inherited } = process.env
  const env = { ...inherited, npm_config_userconfig: userConfig, npm_config_yes: 'true' }

  const words = ['create', '@engine', 'my-shop', '--', '--url', 'shop.db']
  const created = await run('npm', words, { cwd: root, env })
  expect(created.stderr).toContain('Installing with npm.')
  expect(created.stdout).toMatch(/\n {2}0 faults, /)
  const folder = join(root, 'my-shop')
  const bin = (name: string) => join(folder, 'node_modules', '.bin', name)
  expect((await run(bin('tsc'), [], { cwd: folder })).stdout).toBe('')
  const tests = await run(bin('engine-server'), ['permissions', 'test', 'engine.tests.ts'], {
    cwd: folder,
  })
  expect(tests.stdout).toMatch(/\d passed, 0 failed\n$/)

  const server = spawn(bin('engine-server'), ['--port', '0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
  })
  for await (const line of createInterface(server.stdout)) {
    const { http } = JSON.parse(line)
    expect((await fetch(`${http}/health/ready`)).status).toBe(200)
    break
  }
})
