/** Configuration files, `config check`, `config print` and arguments of the program. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

const secret = 'a secret of at least thirty-two bytes'
const masterKey = 'a master key of at least thirty-two bytes'

describe('the program', () => {
  let program: Program

  beforeEach(() => {
    program = createProgram()
  })
  afterEach(() => program.close())

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

  test('the program takes its configuration from the file that --config names', async () => {
    program.folder.write(
      'shop.config.ts',
      `interface Options { readonly url: string; readonly create: boolean }
       const main: Options = ${json(main)}
       export default { port: 1, host: 'nowhere', connections: { main } }`,
    )
    const args = ['--config', 'shop.config.ts', '--port', '0', '--host', '127.0.0.1']
    const url = await program.start(args).ready()
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(await answer(url)).toEqual([200, [2]])
  })

  test('the program takes its configuration from the file that ENGINE_CONFIG names, with variables of the environment', async () => {
    const key = `$\{PREFIX} key $\{NUMBER}`
    program.folder.write('c.json', json({ port: 0, connections: { main }, masterKey: key }))
    const env = {
      ENGINE_CONFIG: 'c.json',
      PREFIX: 'a master',
      NUMBER: '0123456789 0123456789',
    }
    const url = await program.start([], env).ready()
    const authorization = `Bearer ${env.PREFIX} key ${env.NUMBER}`
    expect(await answer(url, { authorization })).toEqual([200, [2]])
  })

  test('the program takes packages of its own where they are not installed, and variables from .env', async () => {
    program.folder.write('.env', 'SHOP="made#here.db"\nKEY=theirs\n')
    program.folder.write(
      'engine.config.ts',
      `import { defineAction, defineConfig } from '@engine/server'
       import { GatewayError } from '@engine/core'
       if (typeof defineAction !== 'function') throw new GatewayError('internal', 'no action')
       export default defineConfig({
         port: 0,
         connections: { main: { url: process.env.SHOP ?? '', create: true } },
         masterKey: process.env.KEY ?? '',
       })`,
    )
    const url = await program.start([], { KEY: masterKey }).ready()
    expect(await answer(url, { authorization: `Bearer ${masterKey}` })).toEqual([200, [2]])
  })

  describe('exits with 2 and says what is wrong:', () => {
    test('the configuration', async () => {
      expect(await program.run(['--config', 'nothing.json'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^There is no file .*nothing\.json\.\n$/),
      })
    })

    test('an argument', async () => {
      program.folder.write('engine.config.json', json({ connections: { main } }))
      expect(await program.run(['--prot=1'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('--prot'),
      })
      expect(await program.run(['--port', '65536'])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('65536'),
      })
      expect(await program.run(['strat'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: 'There is no command strat (see --help)\n',
      })
    })

    test('a permission on what does not exist in the database', async () => {
      program.folder.write(
        'engine.config.json',
        json({
          port: 0,
          connections: { main },
          permissions: { clerks: { table: 'main.orders', roles: ['clerk'], select: {} } },
        }),
      )
      expect(await program.run([])).toMatchObject({
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
      program.folder.write('c.json', json({ connections: { main: 'postgres://127.0.0.1:1/none' } }))
      expect(await program.run(['config', 'check', 'c.json'])).toEqual({
        code: 0,
        stdout: 'The configuration is valid.\n',
        stderr: '',
      })
    })

    test('exits with 2 and names every fault with its path', async () => {
      program.folder.write(
        'c.json',
        json({
          port: 70_000,
          host: '',
          connections: { Main: 'shop.db', other: 'redis://x' },
          auth: { secret: 5 },
          limits: { maxRow: 1 },
          permissions: [{ table: 'main.orders', roles: ['a'], selekt: {} }],
        }),
      )
      const { code, stdout, stderr } = await program.run(['config', 'check', 'c.json'])
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

  test('short secrets are refused in production alone, by config check and at start', async () => {
    const connections = { main: { url: 'made.db', create: true } }
    const config = { connections, auth: { secret: 'short' }, masterKey: 'brief', port: 0 }
    program.folder.write('short.json', json(config))
    const production = { NODE_ENV: 'production' }
    for (const args of [
      ['config', 'check', 'short.json'],
      ['--config', 'short.json'],
    ]) {
      const { code, stderr } = await program.run(args, production)
      expect(code).toBe(2)
      expect(stderr).toContain('  auth.secret: expects at least 32 bytes')
      expect(stderr).toContain('  masterKey: expects at least 32 bytes')
      expect(stderr).not.toMatch(/short(?!\.json)|brief/)
    }
    expect(await program.run(['config', 'check', 'short.json'])).toMatchObject({ code: 0 })
    const server = program.start(['--config', 'short.json'])
    await server.ready()
    expect(server.stderr()).toContain('"path":"auth.secret"')
  })

  test('open mode is refused in production, by config check, doctor and at start, unless it is meant', async () => {
    const config = { connections: { main: { url: 'made.db', create: true } }, port: 0 }
    program.folder.write('open.json', json(config))
    program.folder.write('meant.json', json({ ...config, open: true }))
    const production = { NODE_ENV: 'production' }
    for (const args of [
      ['config', 'check', 'open.json'],
      ['--config', 'open.json'],
      ['explain', '--config', 'open.json', '--as', 'admin', 'select 1'],
    ]) {
      const { code, stdout, stderr } = await program.run(args, production)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('  permissions: production needs auth or permissions')
    }
    const doctor = await program.run(['doctor', '--config', 'open.json'], production)
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^FAULT +permissions /m),
    })
    expect(await program.run(['config', 'check', 'meant.json'], production)).toMatchObject({
      code: 0,
    })
    const server = program.start(['--config', 'meant.json'], production)
    await server.ready()
    expect(server.stderr()).toContain('OPEN MODE')
  })

  test('production without a configuration file is refused, unless the demo was asked for', async () => {
    const production = { NODE_ENV: 'production' }
    for (const args of [[], ['explain', '--as', 'admin', 'select 1']]) {
      const { code, stdout, stderr } = await program.run(args, production)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^There is no configuration file, and production needs one/)
    }
    const doctor = await program.run(['doctor'], production)
    expect(doctor).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/^FAULT +configuration /m),
    })
    expect(await program.run(['--demo', '--config', 'a.json'])).toMatchObject({ code: 2 })
    program.folder.write('engine.config.json', 'is not looked at')
    const url = await program.start(['--demo'], production).ready()
    expect((await fetch(`${url}/health/live`)).status).toBe(200)
  })

  test('config print shows everything but secrets', async () => {
    program.folder.write(
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
      const { code, stdout } = await program.run(['config', 'print', ...args])
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
