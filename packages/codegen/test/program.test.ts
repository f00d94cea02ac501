/** `engine-codegen` as users run it, against an engine and against other servers. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { run as runProgram } from '../src/command/run.ts'
import { shopSchema } from './support/shop-schema.ts'

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const nodeWords = ['--conditions=@engine/source', main]

interface Outcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

let folder: string
let servers: Server[]
let children: ChildProcess[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'engine-codegen-'))
  servers = []
  children = []
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  rmSync(folder, { recursive: true, force: true })
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends the same answer to every request. */
function answering(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): RequestListener {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
}

/** The program in this process; `FILE` is replaced by a path in the folder. */
async function run(words: readonly string[], token?: string): Promise<Outcome> {
  let [stdout, stderr] = ['', '']
  const code = await runProgram(
    words.map((word) => (word.endsWith('.ts') ? join(folder, word) : word)),
    {
      token,
      fetch,
      print: (text) => {
        stdout += text
      },
      say: (line) => {
        stderr += `${line}\n`.replaceAll(`${folder}/`, '')
      },
      sleep: async () => undefined,
      signal: new AbortController().signal,
    },
  )
  return { code, stdout: stdout.replaceAll(`${folder}/`, ''), stderr }
}

/** The program as a process. */
function start(words: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const { ENGINE_SCHEMA_TOKEN: _, ...inherited } = process.env
    const options = { cwd: folder, env: { ...inherited, ...env } }
    const child = execFile(
      process.execPath,
      [...nodeWords, ...words],
      options,
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

const small = {
  connections: {
    main: {
      type: 'sqlite',
      tables: {
        users: {
          columns: { id: { type: 'integer', nullable: false, hasDefault: true, primaryKey: true } },
          relationships: {},
        },
      },
    },
  },
}

describe('writing', () => {
  test('makes the file and its folders, then leaves it alone until something changes', async () => {
    let document: object = small
    const url = await serve((request, response) => answering(200, document)(request, response))
    const words = ['--url', url, '--out', 'src/db/schema.ts']
    const path = join(folder, 'src/db/schema.ts')

    expect(await run(words)).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Made src/db/schema.ts: 1 table, 0 actions\n',
    })
    expect(readFileSync(path, 'utf8')).toContain('export interface MainUsers {')
    const { ino, mtimeMs } = statSync(path)

    expect((await run(words)).stderr).toBe('src/db/schema.ts is up to date: 1 table, 0 actions\n')
    expect(statSync(path)).toMatchObject({ ino, mtimeMs })

    document = shopSchema
    expect((await run(words)).stderr).toContain('Changed src/db/schema.ts: 19 tables, 3 actions')
    expect(readdirSync(join(folder, 'src/db'))).toEqual(['schema.ts'])
  })

  test('a symbolic link stays one, and the file keeps its mode', async () => {
    const url = await serve(answering(200, small))
    writeFileSync(join(folder, 'real.ts'), '', { mode: 0o640 })
    symlinkSync('real.ts', join(folder, 'link.ts'))
    expect((await run(['--url', url, '--out', 'link.ts'])).code).toBe(0)
    expect(lstatSync(join(folder, 'link.ts')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(folder, 'real.ts'), 'utf8')).toContain('MainUsers')
    expect(statSync(join(folder, 'real.ts')).mode & 0o777).toBe(0o640)
  })

  test('a file that cannot be written is reported, and no other file is left', async () => {
    const url = await serve(answering(200, small))
    mkdirSync(join(folder, 'schema.ts'))
    const { code, stderr } = await run(['--url', url, '--out', 'schema.ts'])
    expect(code).toBe(3)
    expect(stderr).toContain('schema.ts cannot be written: ')
    expect(readdirSync(folder)).toEqual(['schema.ts'])
  })

  test.runIf(process.platform === 'linux')(
    'where no folder can be made, that is said',
    async () => {
      const url = await serve(answering(200, small))
      const { code, stderr } = await run(['--url', url, '--out', '/proc/none/schema'])
      expect(code).toBe(3)
      expect(stderr).toContain('/proc/none/schema cannot be written: ENOENT')
    },
  )

  test('what is counted is what the file is made of', async () => {
    const main = small.connections.main
    const url = await serve(answering(200, { connections: { main, other: main } }))
    const words = ['--url', url, '--out', 'schema.ts', '--connection', 'main', '--format']
    expect((await run([...words, 'drizzle'])).stderr).toBe('Made schema.ts: 1 table\n')
  })

  test('--stdout prints, and nothing else', async () => {
    const url = await serve(answering(200, small))
    const { code, stdout, stderr } = await run([
      '--url',
      `${url}/schema`,
      '--stdout',
      '--format',
      'zod',
    ])
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toContain('export const mainUsersRow = z.object({')
  })

  test('--connection chooses', async () => {
    const url = await serve(answering(200, shopSchema))
    const words = ['--url', url, '--stdout', '--connection']
    const { stdout } = await run([...words, 'logs', '--format', 'drizzle'])
    expect(stdout).toContain("const logsSchema = pgSchema('logs')")
    expect(stdout).not.toContain('mainSchema')
    expect(await run([...words, 'nothing'])).toEqual({
      code: 3,
      stdout: '',
      stderr: 'The engine has no connection "nothing". It has: main, logs, empty.\n',
    })
  })
})

describe('--check', () => {
  test('says yes, or shows what is different', async () => {
    const url = await serve(answering(200, small))
    const words = ['--url', url, '--out', 'schema.ts', '--check']
    const path = join(folder, 'schema.ts')

    const missing = await run(words)
    expect(missing.code).toBe(1)
    expect(missing.stderr).toBe('schema.ts does not exist.\n')
    expect(readdirSync(folder)).toEqual([])

    await run(words.slice(0, -1))
    expect(await run(words)).toMatchObject({ code: 0, stdout: '' })

    const good = readFileSync(path, 'utf8')
    writeFileSync(path, good.replace('  id: number\n', '  id: string\n'))
    const different = await run(words)
    expect(different.code).toBe(1)
    expect(different.stderr).toBe('schema.ts is out of date.\n')
    expect(different.stdout).toContain('-  id: string\n+  id: number\n')
    expect(readFileSync(path, 'utf8')).toContain('id: string')
  })
})

describe('the token', () => {
  const guarded: RequestListener = (request, response) =>
    request.headers.authorization === 'Bearer s3cret'
      ? answering(200, small)(request, response)
      : answering(401, { error: 'UNAUTHORIZED', message: 'no', correlation_id: '1' })(
          request,
          response,
        )

  test('stands on the command line or in the environment', async () => {
    const url = await serve(guarded)
    const words = ['--url', url, '--stdout']
    expect((await run([...words, '--token', 's3cret'])).code).toBe(0)
    expect((await run(words, 's3cret')).code).toBe(0)
    expect((await run([...words, '--token', 's3cret'], 'x')).code).toBe(0)
  })

  test('is asked for, and never repeated', async () => {
    const url = await serve(guarded)
    const none = await run(['--url', url, '--stdout'])
    expect([none.code, none.stdout]).toEqual([3, ''])
    expect(none.stderr).toContain('wants a token (401): --token, or ENGINE_SCHEMA_TOKEN')
    const wrong = await run(['--url', url, '--stdout', '--token', 'guess'])
    expect(wrong.stderr).toContain('does not accept the token (401)')
    expect(wrong.stderr).not.toContain('guess')
  })

  test('does not follow a redirection', async () => {
    const asked: (string | undefined)[] = []
    const thief = await serve((request, response) => {
      asked.push(request.headers.authorization)
      answering(200, small)(request, response)
    })
    const url = await serve(answering(302, '', { location: `${thief}/schema` }))
    const { code, stderr } = await run(['--url', url, '--stdout', '--token', 's3cret'])
    expect(code).toBe(3)
    expect(stderr).toContain(`leads elsewhere (302): to ${thief}/schema`)
    expect(asked).toEqual([])
  })
})

describe('answers that are not a schema', () => {
  const column = { type: 'text', nullable: false, hasDefault: false }
  const withColumns = (columns: unknown) => ({
    connections: { main: { type: 'sqlite', tables: { users: { columns, relationships: {} } } } },
  })

  test.each<[string, RequestListener, string]>([
    [
      'an engine that does not tell',
      answering(404, { error: 'NOT_FOUND', message: 'There is nothing.', correlation_id: '1' }),
      'does not tell its schema (404). Its configuration needs schemaEndpoint: true.',
    ],
    [
      'another server',
      answering(404, '<h1>Not found</h1>'),
      'Is that the base address of an engine?',
    ],
    ['a web page', answering(200, '<!doctype html><html></html>'), 'answers with a web page'],
    ['no JSON', answering(200, 'hello'), 'answers with no JSON'],
    ['other JSON', answering(200, []), 'is no schema: expects an object'],
    ['nearly a schema', answering(200, {}), 'is no schema at connections: expects an object'],
    [
      'a column that lacks something',
      answering(200, withColumns({ id: column })),
      'at connections.main.tables.users.columns.id.primaryKey: expects true or false',
    ],
    [
      'a database that was never reached',
      answering(200, small, { 'x-schema-incomplete': 'other, main' }),
      'has not reached the databases of these connections yet: other, main.',
    ],
    ['a busy server', answering(503, '{}'), 'cannot answer right now (503)'],
    [
      'a broken server',
      answering(500, { error: 'INTERNAL_ERROR', message: 'Oh.' }),
      'answers 500: Oh.',
    ],
  ])('%s', async (_, listener, message) => {
    const url = await serve(listener)
    writeFileSync(join(folder, 'schema.ts'), 'old')
    const { code, stdout, stderr } = await run(['--url', url, '--out', 'schema.ts'])
    expect([code, stdout]).toEqual([3, ''])
    expect(stderr).toContain(message)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(readFileSync(join(folder, 'schema.ts'), 'utf8')).toBe('old')
  })

  test('a server that is not there', async () => {
    const url = await serve(answering(200, small))
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const { code, stderr } = await run(['--url', url, '--stdout'])
    expect([code, stderr]).toEqual([3, `Nothing answers at ${url}. Is the server running?\n`])
  })

  test('a server that does not speak TLS', async () => {
    const { host } = new URL(await serve(answering(200, small)))
    const { code, stderr } = await run(['--url', `https://${host}`, '--stdout'])
    expect([code, stderr]).toEqual([3, `${host} does not speak TLS. Is it http://${host}?\n`])
  })

  test('another address of an engine', async () => {
    const nothing = { error: 'NOT_FOUND', message: 'There is nothing.', correlation_id: '1' }
    const url = await serve(answering(404, nothing))
    const { code, stderr } = await run(['--url', `${url}/data`, '--stdout'])
    expect(code).toBe(3)
    expect(stderr).toContain(`no schema at ${url}/data/schema (404). Is that the base address`)
  })

  test('--allow-incomplete takes what there is', async () => {
    const url = await serve(answering(200, small, { 'x-schema-incomplete': 'other' }))
    expect((await run(['--url', url, '--stdout'])).code).toBe(3)
    expect((await run(['--url', url, '--stdout', '--connection', 'main'])).code).toBe(0)
    expect((await run(['--url', url, '--stdout', '--allow-incomplete'])).code).toBe(0)
  })
})

describe('as a process', () => {
  test('it ends with the code of what happened', async () => {
    const url = await serve(answering(200, small))
    expect(await start(['--url', url, '--out', 'db/schema.ts'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Made db/schema.ts: 1 table, 0 actions\n',
    })
    writeFileSync(join(folder, 'db/schema.ts'), 'old')
    const check = ['--url', url, '--out', 'db/schema.ts', '--check']
    expect((await start(check)).code).toBe(1)
    expect((await start(['--url', url])).code).toBe(2)
    expect((await start(['--url', `${url}/elsewhere?a=b`, '--stdout'])).code).toBe(0)
  })

  test('it takes the token from the environment', async () => {
    const url = await serve((request, response) =>
      answering(request.headers.authorization === 'Bearer s3cret' ? 200 : 401, small)(
        request,
        response,
      ),
    )
    const words = ['--url', url, '--stdout']
    expect((await start(words, { ENGINE_SCHEMA_TOKEN: 's3cret' })).code).toBe(0)
    expect((await start(words)).code).toBe(3)
  })

  test('--version prints the version', async () => {
    const { code, stdout } = await start(['--version'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+/)])
  })

  test('--help prints every option', async () => {
    const { code, stdout } = await start(['--help'], {
      TEST: '',
      CI: '',
      NO_COLOR: '',
      TERM: 'xterm',
    })
    expect(stdout).not.toContain('\u001b')
    expect(code).toBe(0)
    for (const name of ['--url', '--token', '--out', '--check', '--watch', '--format']) {
      expect(stdout).toContain(name)
    }
  })
})

describe('--watch', () => {
  test('writes when the schema changes, polls cheaply, outlives the server, ends on a signal', async () => {
    let tag = '"1"'
    let document: object = small
    let isUp = true
    let unchanged = 0
    const url = await serve((request, response) => {
      if (!isUp) {
        answering(503, '{}')(request, response)
      } else if (request.headers['if-none-match'] === tag) {
        unchanged += 1
        response.writeHead(304).end()
      } else {
        answering(200, document, { etag: tag })(request, response)
      }
    })
    const words = ['--url', url, '--out', 'schema.ts', '--watch', '--interval', '0.1']
    const child = spawn(process.execPath, [...nodeWords, ...words], { cwd: folder })
    children.push(child)
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
    })
    const until = (text: string) => expect.poll(() => said, { timeout: 10_000 }).toContain(text)

    await until('Made schema.ts: 1 table')
    await expect.poll(() => unchanged, { timeout: 10_000 }).toBeGreaterThan(1)

    isUp = false
    await until('cannot answer right now (503)')
    tag = '"2"'
    document = shopSchema
    isUp = true
    await until('answers again.')
    await until('Changed schema.ts: 19 tables')
    expect(said.match(/503/g)).toHaveLength(1)
    expect(readFileSync(join(folder, 'schema.ts'), 'utf8')).toContain('MainOrders')

    child.kill('SIGINT')
    const code = await new Promise((resolve) => child.once('exit', resolve))
    expect(code).toBe(0)
  })
})
