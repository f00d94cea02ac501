/** @module A configuration of a user within this repository: at its root, or in a folder below `apps`. */
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { repositoryRoot } from '../src/index.ts'

// Starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

const run = promisify(execFile)

async function createFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-checkout-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a folder below apps with dependencies of its own leaves the lockfile valid', async () => {
  const copy = await createFolder()
  const { stdout } = await run('git', ['ls-files', '*package.json', 'pnpm-*.yaml', '.npmrc'], {
    cwd: repositoryRoot,
  })
  for (const name of stdout.trim().split('\n')) {
    await mkdir(dirname(join(copy, name)), { recursive: true })
    await cp(join(repositoryRoot, name), join(copy, name))
  }
  const mine = join(copy, 'apps', 'mine')
  await mkdir(mine)
  const manifest = { name: 'mine', private: true, dependencies: { zod: '^4.0.0' } }
  await writeFile(join(mine, 'package.json'), JSON.stringify(manifest))
  const words = ['install', '--frozen-lockfile', '--lockfile-only', '--offline']
  const outcome = await run('pnpm', words, { cwd: copy })
  expect(outcome.stdout).not.toContain('ERR_PNPM')
})

test('a client program that is in no package finds the client, Drizzle and Kysely', async () => {
  const folder = await createFolder()
  const program = `
    import { createClient } from '@engine/client'
    import { createAuth } from '@engine/client/auth'
    import { createDrizzleDriver } from '@engine/client/drizzle'
    import { drizzle } from 'drizzle-orm/pg-proxy'
    import { Kysely } from 'kysely'
    console.log([createClient, createAuth, createDrizzleDriver, drizzle, Kysely].map((each) => typeof each).join())`
  await writeFile(join(folder, 'client.ts'), program)
  await writeFile(join(folder, 'wrong.ts'), "import '@engine/clint'")
  const offered = join(repositoryRoot, 'tooling', 'bootstrap', 'src', 'offer-packages.mjs')
  const words = ['--conditions=@engine/source', `--import=${offered}`]
  const { stdout } = await run(process.execPath, [...words, join(folder, 'client.ts')])
  expect(stdout).toBe('function,function,function,function,function\n')
  await expect(run(process.execPath, [...words, join(folder, 'wrong.ts')])).rejects.toThrow(
    /Cannot find package '@engine\/clint' imported from \S+wrong\.ts/,
  )
})

test('an editor knows the packages in a configuration or client that is in no package', async () => {
  const folder = await createFolder()
  const config = (option: string) => `
    import { defineAction, defineConfig } from '@engine/server'
    import { GatewayError } from '@engine/core'
    export const used = [defineAction, GatewayError]
    export default defineConfig({
      connections: { main: process.env.DATABASE_URL ?? '' },
      ${option}: { maxRows: 5 },
    })`
  const client = (method: string) => `
    import { createClient } from '@engine/client'
    import { createAuth } from '@engine/client/auth'
    import { createDrizzleDriver } from '@engine/client/drizzle'
    import { engineDialect } from '@engine/client/kysely'
    import { drizzle } from 'drizzle-orm/pg-proxy'
    import { integer, pgTable } from 'drizzle-orm/pg-core'
    import { Kysely } from 'kysely'
    const url = 'http://127.0.0.1:3001'
    const client = createClient({ url, session: createAuth({ url }) })
    const orders = pgTable('orders', { id: integer('id') })
    const db = drizzle(createDrizzleDriver(client).callback, { schema: { orders } })
    export const other = new Kysely<{ orders: { id: number } }>({ dialect: engineDialect(client) })
    export const found = db.query.orders.${method}()`
  await writeFile(join(folder, 'client.ts'), client('findMany'))
  await writeFile(join(folder, 'wrong-client.ts'), client('findAll'))
  await writeFile(join(folder, 'right.ts'), config('limits'))
  await writeFile(join(folder, 'wrong.ts'), config('limit'))
  const path = join(repositoryRoot, 'tsconfig.configurations.json')
  const { references } = JSON.parse((await readFile(path, 'utf8')).replace(/^\/\/.*/, ''))
  const options = {
    extends: path,
    compilerOptions: { composite: false, incremental: false },
    files: ['client.ts', 'right.ts', 'wrong.ts', 'wrong-client.ts'],
    references: references.map((each: { readonly path: string }) => ({
      path: join(repositoryRoot, each.path),
    })),
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options))
  const compiler = join(repositoryRoot, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [compiler, '-b', path])
  const { stdout } = await run(process.execPath, [compiler, '-p', folder], { cwd: folder }).catch(
    (error: { readonly stdout: string }) => error,
  )
  expect(stdout.match(/^\S+\.ts\b.*/gm)).toEqual([
    expect.stringMatching(/^wrong-client\.ts.*'findAll' does not exist/),
    expect.stringMatching(/^wrong\.ts.*'limit' does not exist/),
  ])
})
