import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { pagePath, pageText } from './page.ts'
import { readRecording } from './recording.ts'

test('docs/sql.md is what the recording says; `pnpm record` writes both', () => {
  expect(readFileSync(pagePath, 'utf8')).toBe(pageText(readRecording()))
})

test('overloads are one row, with those that a database refuses', () => {
  const construct = (variant: string, words: readonly string[]) => ({
    id: variant,
    chapter: 'Numbers',
    row: 'log()',
    variant,
    words,
  })
  const no = 'the function log(numeric) is not supported on MySQL'
  const text = pageText([
    construct('float8', ['equal', 'equal', 'equal', 'equal']),
    construct('numeric', ['equal', no, no, 'equal']),
  ])
  expect(text).toContain(
    '| `log()` | yes | yes, not `numeric`: no equivalent | yes, not `numeric`: no equivalent | yes |',
  )
})

test('what no database answers is listed by its reason', () => {
  const no = 'TABLESAMPLE is not supported'
  const text = pageText([
    { id: 'a', chapter: 'FROM', row: 'TABLESAMPLE', variant: '', words: [no, no, no, no] },
  ])
  expect(text).toContain('On no database:\n\n- TABLESAMPLE: `TABLESAMPLE`\n')
})
