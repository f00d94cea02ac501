import { readFileSync } from 'node:fs'
import { problemTable } from '@engine/core/server'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createProgram, type Program } from '../support/program.ts'

let program: Program

beforeEach(() => {
  program = createProgram()
})
afterEach(() => program.close())

/** First cells of a page's tables that are paths. */
function documented(page: string): readonly string[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8')
  return [...text.matchAll(/^\| `([^`\s]+)` \|/gm)].map(([, path = '']) => path)
}

test('the page about the configuration names every option, once, and no other', async () => {
  const { code, stdout } = await program.run(['config', 'options'])
  expect(code).toBe(0)
  const options = stdout.trimEnd().split('\n')
  expect([...documented('configuration.md')].sort()).toEqual([...options].sort())
})

test('the page about errors has every status and code, and no other', () => {
  const text = readFileSync(new URL('../../../../docs/errors.md', import.meta.url), 'utf8')
  const rows = [...text.matchAll(/^\| (\d{3}) \| `([A-Z_]+)` \|/gm)]
  const problems = Object.values(problemTable).map(({ code, status }) => `${status} ${code}`)
  const written = rows.map(([, status, code]) => `${status} ${code}`)
  expect(written.sort()).toEqual([...new Set(problems)].sort())
})
