/** `engine-codegen` reads the schema of a running server, and the client uses the generated files. */
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'
import { inheritedEnvironment } from '../support/server-process.ts'

const main = fileURLToPath(new URL('../../../../packages/codegen/src/main.ts', import.meta.url))

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(async () => {
  await program?.close()
})

function codegen(words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const options = { cwd: program.folder.path, env: { ...inheritedEnvironment(), ...env } }
  return new Promise<{
    readonly code: number | null
    readonly stdout: string
    readonly stderr: string
  }>((resolve) => {
    const child = execFile(
      process.execPath,
      ['--conditions=@engine/source', main, ...words],
      options,
      (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
    )
  })
}

test('from a server with a token to a file, which is up to date then', async () => {
  mkdirSync(`${program.folder.path}/shop`)
  program.folder.write('shop/products.csv', 'id,name,price\n1,Tea,4.90\n')
  const config = {
    connections: { shop: { directory: './shop' } },
    schemaEndpoint: { enabled: true, token: 's3cret' },
  }
  program.folder.write('engine.config.json', JSON.stringify(config))
  const url = await program.start(['--config', 'engine.config.json', '--port', '0']).ready()

  expect(await codegen(['--url', url, '--stdout'])).toMatchObject({ code: 3, stdout: '' })
  const words = ['--url', url, '--out', 'schema.ts']
  expect(await codegen(words, { ENGINE_SCHEMA_TOKEN: 's3cret' })).toEqual({
    code: 0,
    stdout: '',
    stderr: 'Made schema.ts: 1 table, 0 actions\n',
  })
  const made = readFileSync(`${program.folder.path}/schema.ts`, 'utf8')
  expect(made).toContain('export interface ShopProducts {\n  id: number\n  name: string | null\n')
  expect(await codegen([...words, '--check', '--token', 's3cret'])).toMatchObject({ code: 0 })
})

test('a server that does not tell says how to make it', async () => {
  const config = { connections: { shop: { directory: '.' } } }
  program.folder.write('engine.config.json', JSON.stringify(config))
  const url = await program.start(['--config', 'engine.config.json', '--port', '0']).ready()
  const { code, stderr } = await codegen(['--url', url, '--stdout'])
  expect(code).toBe(3)
  expect(stderr).toContain('Its configuration needs schemaEndpoint: true.')
})
