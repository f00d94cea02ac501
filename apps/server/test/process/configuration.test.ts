/** Configuration files, `config check`, `config print` and arguments of the program. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createFolder, type TestFolder } from '../support/folder.ts'
import { type ServerProcess, startServer } from '../support/server-process.ts'

const secret = 'a secret of at least thirty-two bytes'
const masterKey = 'a master key of at least thirty-two bytes'

describe('the program', () => {
  let folder: TestFolder
  let started: ServerProcess[]

  beforeEach(() => {
    folder = createFolder()
    started = []
  })
  afterEach(async () => {
    for (const server of started) {
      server.signal('SIGKILL')
      await server.exit()
    }
    folder.remove()
  })

  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const server = startServer(args, { cwd: folder.path, env })
    started.push(server)
    return server
  }
  /** Runs a command to its end. */
  const run = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const server = start(args, env)
    const code = await server.exit()
    return { code, stdout: server.stdout(), stderr: server.stderr() }
  }
  const json = (config: unknown) => JSON.stringify(config)
  const main = { url: 'shop.db', create: true }
  const answer = async (url: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(`${url}/data`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: json({ sql: 'select 1 + 1', params: [], method: 'get' }),
    })
    return [response.status, ((await response.json()) as { rows: unknown }).rows]
  }

  test('takes its configuration from the file that --config names', async () => {
    folder.write(
      'shop.config.ts',
      `interface Options { readonly url: string; readonly create: boolean }
       const main: Options = ${json(main)}
       export default { port: 1, host: 'nowhere', connections: { main } }`,
    )
    const args = ['--config', 'shop.config.ts', '--port', '0', '--host', '127.0.0.1']
    const url = await start(args).ready()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await answer(url)).toEqual([200, [2]])
  })

  test('takes it from the file that ENGINE_CONFIG names, with variables of the environment', async () => {
    const key = `$\{PREFIX} key $\{NUMBER}`
    folder.write('c.json', json({ port: 0, connections: { main }, masterKey: key }))
    const env = {
      ENGINE_CONFIG: 'c.json',
      PREFIX: 'a master',
      NUMBER: '0123456789 0123456789',
    }
    const url = await start([], env).ready()
    const authorization = `Bearer ${env.PREFIX} key ${env.NUMBER}`
    expect(await answer(url, { authorization })).toEqual([200, [2]])
  })

  describe('exits with 2 and says what is wrong:', () => {
    test('the configuration', async () => {
      expect(await run(['--config', 'nothing.json'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^There is no file .*nothing\.json\.\n$/),
      })
    })

    test('an argument', async () => {
      folder.write('engine.config.json', json({ connections: { main } }))
      expect(await run(['--prot=1'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--prot'),
      })
      expect(await run(['--port', '65536'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('65536'),
      })
    })

    test('a permission on what does not exist in the database', async () => {
      folder.write(
        'engine.config.json',
        json({
          port: 0,
          connections: { main },
          permissions: { clerks: { table: 'main.orders', roles: ['clerk'], select: {} } },
        }),
      )
      expect(await run([])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(
          'permissions.clerks.table: there is no table "main.orders"',
        ),
      })
    })
  })

  describe('config check', () => {
    test('exits with 0 when all is well, without touching a database', async () => {
      folder.write('c.json', json({ connections: { main: 'postgres://127.0.0.1:1/none' } }))
      expect(await run(['config', 'check', 'c.json'])).toEqual({
        code: 0,
        stdout: 'The configuration is valid.\n',
        stderr: '',
      })
    })

    test('exits with 2 and names every fault with its path', async () => {
      folder.write(
        'c.json',
        json({
          port: 70_000,
          host: '',
          connections: { Main: 'shop.db', other: 'redis://x' },
          auth: { secret: 'short' },
          limits: { maxRow: 1 },
          permissions: [{ table: 'main.orders', roles: ['a'], selekt: {} }],
        }),
      )
      const { code, stdout, stderr } = await run(['config', 'check', 'c.json'])
      expect([code, stdout]).toEqual([2, ''])
      for (const path of [
        'port',
        'host',
        'connections.Main',
        'connections.other',
        'auth.secret',
        'limits.maxRow',
        'permissions.0.selekt',
      ]) {
        expect(stderr).toContain(`  ${path}: `)
      }
    })
  })

  test('config print shows everything but secrets', async () => {
    folder.write(
      'c.json',
      json({
        port: 3_001,
        connections: {
          main: 'postgres://app:p@ss:word@db.example/shop?sslmode=require',
          other: { url: 'libsql://db.example?authToken=tok123' },
        },
        masterKey,
        auth: { secret, roles: { default: ['user'] } },
      }),
    )
    for (const args of [
      ['--redact', 'c.json'],
      ['--no-redact', 'c.json'],
    ]) {
      const { code, stdout } = await run(['config', 'print', ...args])
      expect(code).toBe(0)
      expect(stdout).not.toMatch(/ss:word|p@ss|tok123|thirty-two/)
      expect(JSON.parse(stdout)).toEqual({
        port: 3_001,
        connections: {
          main: 'postgres://app:[redacted]@db.example/shop?sslmode=require',
          other: { url: 'libsql://db.example?authToken=[redacted]' },
        },
        masterKey: '[redacted]',
        auth: { secret: '[redacted]', roles: { default: ['user'] } },
      })
    }
  })
})
