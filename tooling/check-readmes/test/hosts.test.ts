/** @module Every host of docs/hosts.md, exactly as in the document, with the packages as published. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import {
  checkTypes,
  createProject,
  type Project,
  projectEnvironment,
  publishLocally,
  type Registry,
  repositoryRoot,
  runInProject,
} from '@engine/check-packages'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  findMarkedFiles,
  type HostProcess,
  type Question,
  runtimePath,
  startHost,
} from '../src/index.ts'

// Installs, builds and starts other programs: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 300_000 })

const markdown = await readFile(join(repositoryRoot, 'docs', 'hosts.md'), 'utf8')
const files = findMarkedFiles(markdown)

/** How to run a host, its path of the engine, and its other routes. */
const hosts = {
  node: { command: () => [process.execPath], mount: '', hasOwnRoute: false },
  express: { command: () => [process.execPath], mount: '/engine', hasOwnRoute: true },
  fastify: { command: () => [process.execPath], mount: '/engine', hasOwnRoute: true },
  hono: { command: () => [process.execPath], mount: '/engine', hasOwnRoute: true },
  bun: { command: () => [runtimePath('bun'), 'run'], mount: '', hasOwnRoute: false },
  deno: { command: () => denoCommand(), mount: '', hasOwnRoute: false },
} as const

/** With the permissions in the document. */
function denoCommand(): readonly [string, ...string[]] {
  const [, words = ''] = /^deno (run .*?) server\.ts/m.exec(markdown) ?? []
  return [runtimePath('deno'), ...words.split(' ')]
}

/** A low limit that is reached, with a long period. */
const limit = 4
const limitOfPage = 'rateLimitPerIP: 600'
const limitOfTest = `rateLimitPerIP: ${limit}`

let registry: Registry
let project: Project

beforeAll(async () => {
  registry = await publishLocally()
  const { devDependencies } = JSON.parse(
    await readFile(new URL('../package.json', import.meta.url), 'utf8'),
  )
  const frameworks = Object.entries(devDependencies).map(([name, version]) => `${name}@${version}`)
  const [, told = ''] = /^npm install ([^#\n]+)/m.exec(markdown) ?? []
  project = await createProject(registry, [...told.trim().split(' '), ...frameworks])
  for (const { kind, name, code } of files) {
    const file = kind === 'file' ? name : `${name}.ts`
    await writeFile(join(project.directory, file), code.replace(limitOfPage, limitOfTest))
  }
  await runInProject(project, process.execPath, ['create-database.ts'])
})
afterAll(async () => {
  await project?.remove()
  await registry?.stop()
})

/** @returns status and text of every answer before the first 429. */
async function askUntilLimited(host: HostProcess, question: Question): Promise<readonly string[]> {
  const answers: string[] = []
  while (answers.length < 5 * limit) {
    const { status, text } = await host.ask(question)
    if (status === 429) return answers
    answers.push(`${status} ${text}`)
  }
  throw new Error(`None of ${answers.length} requests was refused: ${answers.at(-1)}`)
}

test('every host of the page is tried here', () => {
  const named = files.filter(({ kind }) => kind === 'host').map(({ name }) => name)
  expect(named.sort()).toEqual([...Object.keys(hosts), 'next'].sort())
})

describe.each(Object.entries(hosts))('%s', (name, { command, mount, hasOwnRoute }) => {
  let host: HostProcess | undefined

  afterEach(async () => {
    await host?.stop()
    host = undefined
  })

  test('answers statements, knows addresses, and leaves other routes alone', async () => {
    const { directory } = project
    const env = projectEnvironment(directory)
    const [program, ...words] = command()
    const options = { cwd: directory, env, timeoutMs: 120_000 }
    host = await startHost([program, ...words, `${name}.ts`], options)
    const data = `${mount}/data`
    const body = { sql: 'select $1::int + 1', params: [41], method: 'get' }

    const exhausted = await askUntilLimited(host, { path: data, body })
    expect(exhausted.slice(0, limit)).toEqual(Array(limit).fill('200 {"rows":[42]}'))
    const forged = { path: data, body, headers: { 'x-forwarded-for': '192.0.2.7' } }
    expect((await host.ask(forged)).status).toBe(429)

    const from = '127.0.0.2'
    expect(await host.ask({ path: data, body, from })).toMatchObject({ status: 200 })
    expect(await host.ask({ path: data, body: { sql: 'selec' }, from })).toMatchObject({
      status: 400,
    })
    const products = { sql: 'select id, name from main.products', params: [], method: 'all' }
    expect(await host.ask({ path: data, body: products, from })).toMatchObject({
      status: 200,
      text: '{"rows":[[1,"Lamp"]]}',
    })
    const deletion = { sql: 'delete from main.products', params: [], method: 'run' }
    expect(await host.ask({ path: data, body: deletion, from })).toMatchObject({ status: 403 })
    // A host that listens on every address also listens on this one.
    await expect(host.ask({ path: data, body, at: '127.0.0.2' })).rejects.toMatchObject({
      code: 'ECONNREFUSED',
    })
    expect(await host.ask({ path: `${mount}/nothing` })).toMatchObject({ status: 404 })
    const own = await host.ask({ path: '/hello' })
    expect(own).toMatchObject(hasOwnRoute ? { status: 200, text: 'hello' } : { status: 404 })
  })
})

test('the route of Next.js answers as a plain function', async () => {
  const url = 'http://localhost/api/engine/data'
  const program = `
    const { POST } = await import(${JSON.stringify(pathToFileURL(join(project.directory, 'next.ts')))})
    const body = JSON.stringify({ sql: 'select 1', params: [], method: 'all' })
    const headers = { 'content-type': 'application/json' }
    const response = await POST(new Request('${url}', { method: 'POST', headers, body }))
    console.log(response.status, await response.text())
    process.exit(0)
  `
  const outcome = await runInProject(project, process.execPath, ['--eval', program])
  expect(outcome).toEqual({ exitCode: 0, stdout: '200 {"rows":[[1]]}\n', stderr: '' })
})

test('what the page serves starts in production, without its policy it does not', async () => {
  const program = `
    const { createGateway } = await import('@engine/http')
    const { default: config } = await import('./engine.config.ts')
    await (await createGateway(config)).close()
    const { permissions, ...open } = config
    await createGateway(open).then(() => console.log('open'), ({ message }) => console.log(message))
    await (await createGateway({ ...open, open: true })).close()
  `
  const outcome = await runInProject(project, process.execPath, [
    '--input-type=module',
    '--eval',
    `process.env.NODE_ENV = 'production'; ${program}`,
  ])
  expect(outcome.stdout).toMatch(/^Invalid configuration\n {2}permissions: production needs auth/)
  expect(outcome.stderr).toMatch(/^engine warning: OPEN MODE/)
})

test('the files of the page have no faults of type', async () => {
  const names = files.map(({ kind, name }) => (kind === 'file' ? name : `${name}.ts`))
  const forNode = names.filter((name) => name !== 'deno.ts')
  expect(await checkTypes(project, [], forNode)).toEqual([])
})
