/** The error message for an application that lacks a package. */
import { spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const source = fileURLToPath(new URL('../src/engine/load-adapter.ts', import.meta.url))

/** Runs in a process that sees only the packages of the directory. */
function load(call: string): string {
  const { NODE_PATH: _, ...env } = process.env
  const program = `
    const { loadAdapter, loadPgWireServer } = await import(${JSON.stringify(source)})
    await ${call}.catch((error) => console.log(error.problem, error.message))
  `
  const words = ['--conditions=@engine/source', '--input-type=module', '-e', program]
  return spawnSync(process.execPath, words, { cwd: tmpdir(), env, encoding: 'utf8' }).stdout
}

test.each([
  [`loadPgWireServer('${tmpdir()}')`, '@engine/pgwire'],
  [`loadAdapter('@engine/adapters-mysql', '${tmpdir()}')`, '@engine/adapters-mysql'],
])('%s names what to install', (call, name) => {
  expect(load(call)).toBe(
    `invalidConfiguration The package ${name} is not installed: npm install ${name}\n`,
  )
})
