/** The steps of docs/getting-started.md after `init` run as written: permissions, an invitation, the first queries, the typed client. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { generate } from '@engine/codegen'
import type { SchemaDocument } from '@engine/contract'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import { inheritedEnvironment } from '../support/server-process.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

const guide = readFileSync(new URL('../../../../docs/getting-started.md', import.meta.url), 'utf8')
const servedAt = 'http://127.0.0.1:3001'
const ann = { email: 'ann@example.com', password: 'the password that Ann has chosen' }

/** The blocks of code in the section with this title. */
function blocksOf(title: string, language: string): readonly string[] {
  const section = guide.split(/^## /m).find((part) => part.split('\n')[0]?.endsWith(title)) ?? ''
  const blocks = section.matchAll(/^```(\w+)\n(.*?)^```/gms)
  return [...blocks].flatMap(([, name, code = '']) => (name === language ? [code] : []))
}

let program: Program
let url: string

beforeAll(async () => {
  program = createProgram()
  const database = new Database(join(program.folder.path, 'shop.db'))
  database.exec('create table users (id text primary key, email text not null unique, name text)')
  database.close()
  expect(await program.run(['init', '--url', 'shop.db', '--yes'])).toMatchObject({ code: 0 })
  url = await program.start(['--port', '0']).ready()
  const signUp = await fetch(`${url}/auth/sign-up`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(ann),
  })
  expect(signUp.status).toBe(201)
})
afterAll(() => program.close())

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** Runs lines in the folder of the configuration, where `npx` finds the program. */
function runSteps(code: string) {
  const npx = `npx() { shift; '${process.execPath}' --conditions=@engine/source '${main}' "$@"; }`
  // Its port is another one than that of the configuration.
  const steps = code
    .replaceAll(servedAt, url)
    .replace('users invite', `users invite --url ${url}`)
    .replaceAll('curl ', 'curl -sS --fail-with-body ')
  const { status, stdout, stderr } = spawnSync('sh', ['-e', '-c', `${npx}\n${steps}`], {
    cwd: program.folder.path,
    env: inheritedEnvironment(),
    encoding: 'utf8',
  })
  expect(status, stdout + stderr).toBe(0)
  return stdout
}

test('the permissions are shown, and their tests hold', () => {
  const [lines = ''] = blocksOf('Read the permissions', 'sh')
  expect(runSteps(lines)).toContain('main.users')
})

test('an invited person has an account, whose roles can be replaced', () => {
  const [start = '', outbox = '', accept = '', roles = ''] = blocksOf(
    'Start, and make accounts',
    'sh',
  )
  const [serve = '', invite = ''] = start.split('\n')
  expect(serve).toBe('npx engine-server')
  const bob = (lines: string): string => lines.replaceAll('ann@', 'bob@')
  runSteps(bob(invite))
  const mail = JSON.stringify(
    JSON.parse(runSteps(outbox)).mails.find(({ to }: { to: string }) => to === 'bob@example.com'),
  )
  const [, code = ''] = /with this code:\\n([\w-]+)/.exec(mail) ?? []
  const { user } = JSON.parse(runSteps(accept.replace('<the code>', code)))
  expect(user.email).toBe('bob@example.com')
  const key = outbox.split('\n')[0]
  expect(runSteps(`${key}\n${roles.replace('<id>', user.id)}`)).toBe('{"success":true}')
})

function runLines(code: string) {
  const { status, stdout } = spawnSync('sh', ['-e', '-c', code.replaceAll(servedAt, url)], {
    cwd: program.folder.path,
    encoding: 'utf8',
  })
  return { status, answer: JSON.parse(stdout) as unknown }
}

test('the first query, with the master key of .env', () => {
  const [query = ''] = blocksOf('A first query', 'sh')
  const { status, answer } = runLines(query)
  expect(status).toBe(0)
  expect(answer).toEqual({ rows: [[expect.any(String), ann.email, null]] })
})

test('the sign-in whose answer has the token for the same query', () => {
  const [query = '', signIn = ''] = blocksOf('A first query', 'sh')
  const { answer } = runLines(signIn)
  const { token } = (answer as { session: { token: string } }).session
  const asAnn = query.replace(/^TOKEN=.*$/m, `TOKEN=${token}`)
  expect(runLines(asAnn).answer).toMatchObject({ rows: [[expect.any(String), ann.email, null]] })
})

test('the typed client', async () => {
  const [code = ''] = blocksOf('A typed client', 'ts')
  const schema = (await (await fetch(`${url}/schema`)).json()) as SchemaDocument
  // A folder where the packages of the program are found, and which version control ignores.
  const dist = fileURLToPath(new URL('../../../example-drizzle/dist', import.meta.url))
  mkdirSync(dist, { recursive: true })
  const place = mkdtempSync(join(dist, 'client-'))
  try {
    const text = generate(schema, { format: 'drizzle', connections: ['main'] })
    writeFileSync(join(place, 'schema.ts'), text)
    writeFileSync(join(place, 'client.ts'), code.replaceAll(servedAt, url))
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--conditions=@engine/source', join(place, 'client.ts')],
      { env: inheritedEnvironment(), encoding: 'utf8' },
    )
    expect([status, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/id: '[\w-]{36}'/)
  } finally {
    rmSync(place, { recursive: true })
  }
})
