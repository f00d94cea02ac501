import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { runExample } from './run-example.ts'

const here = fileURLToPath(new URL('..', import.meta.url))

test('TypeScript runs, and imports what its directory can import', async () => {
  const code = `
    import { publishablePackages } from '@engine/check-packages'
    const names: readonly string[] = publishablePackages().map(({ name }) => name)
    console.log(names.includes('@engine/core'))
  `
  const outcome = await runExample({ language: 'ts', code }, here, 30_000)
  expect(outcome).toEqual({ exitCode: 0, output: 'true\n' })
})

test('an example that throws fails, and its output says why', async () => {
  const code = `throw new Error('no such table')\n`
  const outcome = await runExample({ language: 'ts', code }, here, 30_000)
  expect(outcome.exitCode).toBe(1)
  expect(outcome.output).toContain('no such table')
})

test('a shell example ends at its first failing command', async () => {
  const code = 'echo one\nfalse\necho two\n'
  const outcome = await runExample({ language: 'sh', code }, here, 30_000)
  expect(outcome).toEqual({ exitCode: 1, output: 'one\n' })
})

test('an example that never ends is stopped', async () => {
  const code = 'setInterval(() => undefined, 1_000)\n'
  const outcome = await runExample({ language: 'ts', code }, here, 500)
  expect(outcome.exitCode).toBeNull()
})
