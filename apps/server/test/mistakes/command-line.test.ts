/** Mistakes on the command line, in programs and in statements. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { GatewayError } from '@engine/core'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openGateway } from '../support/gateway.ts'
import { createProgram, type Program } from '../support/program.ts'
import { createSqliteShop } from '../support/shop.ts'

// Starts programs, one after the other: the time limit only has to be long enough.
vi.setConfig({ testTimeout: 180_000 })

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

test.each([
  [['doctr'], 'There is no command doctr; did you mean "doctor"? (see --help)\n'],
  [['matrx'], 'There is no command matrx (see --help)\n'],
  [
    ['permissions', 'matrx'],
    'There is no command permissions matrx; did you mean "matrix"? (see --help)\n',
  ],
  [['permissions'], 'permissions needs a command: matrix, test (see --help)\n'],
  [['--conifg', 'a.json'], /^Unknown option '--conifg'; did you mean "config"\? \(see --help\)\n$/],
  [['--config', 'none.json'], /^There is no file .*none\.json\.\n$/],
  [['--port', 'http'], /--port http: expects 0 to 65535/],
])('%j exits with 2', async (args, message) => {
  const { code, stdout, stderr } = await program.run(args)
  expect([code, stdout]).toEqual([2, ''])
  if (typeof message === 'string') expect(stderr).toBe(message)
  else expect(stderr).toMatch(message)
})

test.each([
  ['c.ts', 'const a: number = 1\nexport default {\n  b: { a } of {}\n}', 'c.ts:3:12'],
  ['c.mjs', 'export default {\n  b: [1 2]\n}', 'c.mjs:2:9'],
  ['c.mjs', '\nimport { nothing } from "node:fs"\nexport default {}', 'c.mjs:2:10'],
  ['c.ts', 'import "./other.mjs"\nexport default {}', 'other.mjs:2:1'],
  ['c.ts', 'import "./other.ts"\nexport default {}', 'other.ts:1:9'],
])('a syntax error in %s is placed: %j, %s', async (name, text, place) => {
  program.folder.write('other.mjs', '\n}')
  program.folder.write('other.ts', 'let a = ]')
  const path = program.folder.write(name, text)
  const { code, stderr } = await program.run(['config', 'check', name])
  expect(code).not.toBe(0)
  expect(stderr).toContain(`${path} cannot be loaded: `)
  expect(stderr).toContain(` (${join(program.folder.path, place)})`)
})

test('an import that cannot be resolved names the file that has it', async () => {
  program.folder.write('other.ts', 'import "@engine/serve"')
  program.folder.write('c.ts', 'import "./other.ts"\nexport default {}')
  const { stderr } = await program.run(['config', 'check', 'c.ts'])
  expect(stderr).toMatch(/imported from \S*\/other\.ts; did you mean "@engine\/server"\?$/m)
})

test.each(['none.ts', 'none.json'])(
  'a file of tests that is not there is named: %s',
  async (name) => {
    const { code, stderr } = await program.run(['permissions', 'test', name])
    expect([code, stderr]).toEqual([2, `There is no file ${join(program.folder.path, name)}.\n`])
  },
)

/** In tests and in CI no help has colours. */
const outsideTests = { TEST: '', CI: '', NO_COLOR: '', TERM: 'xterm' }

test('help that a program reads has no colours', async () => {
  const { code, stdout } = await program.run(['permissions', 'test', '--help'], outsideTests)
  expect(code).toBe(0)
  expect(stdout).toContain('Run tests of permissions')
  expect(stdout).not.toContain('\u001b')
})

test('a port in use exits with 1', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { readonly port: number }
  program.folder.write(
    'engine.config.json',
    JSON.stringify({ connections: { main: { url: 'a.db', create: true } } }),
  )
  const { code, stderr } = await program.run(['--port', String(port)])
  taken.close()
  expect(code).toBe(1)
  expect(stderr).toContain(
    `Cannot listen on 127.0.0.1:${port}: the port is in use. Choose another with --port.`,
  )
})

test('a server that does not run is named, without a stack', async () => {
  program.folder.write(
    'engine.config.json',
    JSON.stringify({
      connections: { main: 'a.db' },
      masterKey: 'a master key of thirty-two bytes!',
    }),
  )
  const args = ['--url', 'http://127.0.0.1:1']
  for (const command of [
    ['users', 'create', '--email', 'ann@example.com'],
    ['schema', 'refresh'],
  ]) {
    const { code, stderr } = await program.run([...command, ...args])
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^No server answers at http:\/\/127\.0\.0\.1:1: [^\n]+ \(--url names another/,
    )
    expect(stderr).not.toContain('    at ')
  }
})

test('a problem of another spelling is named where the error is made', () => {
  const make = (name: string) => () => new GatewayError(name as 'notFound', 'There is none.')
  expect(make('not_found')).toThrow(
    'GatewayError: there is no problem "not_found"; did you mean "notFound"?',
  )
  expect(make('NOT_FOUND')).toThrow('did you mean "notFound"?')
  expect(make('toString')).toThrow('there is no problem "toString"')
})

test('names in statements are suggested to callers who may see them', async () => {
  const shop = createSqliteShop()
  const gateway = await openGateway({ connections: { main: shop.path } })
  const messageOf = async (sql: string) => {
    const { body } = await gateway.data({ sql, params: [], method: 'all' })
    return (body as { readonly message: string }).message
  }
  try {
    expect(await messageOf('select * from main.order')).toContain('did you mean "main"."orders"?')
    expect(await messageOf('select statuss from main.orders')).toContain('did you mean "status"?')
  } finally {
    await gateway.close()
    shop.remove()
  }
})
