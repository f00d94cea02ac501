import type { AuditEntry } from '@engine/contract/admin-api'
import { expect, test } from 'vitest'
import { type ExportFormat, exportText } from './export-text.ts'

const entry: AuditEntry = {
  id: '018f2b6e-7c3a-7000-8000-0123456789ab',
  at: '2026-01-01T00:00:00.000Z',
  node: 'a',
  kind: 'query',
  via: 'http',
  correlationId: 'r',
  ip: null,
  caller: 'ada',
  roles: ['clerk', 'boss'],
  credentialId: null,
  connection: 'main',
  action: null,
  sql: 'select "a",\n$1',
  params: [1, 'x'],
  durationMs: 1.5,
  rowCount: 2,
  error: null,
  message: null,
  facts: null,
}

async function exported(format: ExportFormat, ...pages: (readonly AuditEntry[])[]) {
  let text = ''
  const source = (async function* () {
    yield* pages
  })()
  for await (const piece of exportText(format, source)) text += piece
  return text
}

test('NDJSON is one entry on each line', async () => {
  const text = await exported('ndjson', [entry, entry], [entry])
  const lines = text.trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line))).toEqual([entry, entry, entry])
  expect(await exported('ndjson')).toBe('')
})

test('CSV has a heading, quotes everything, and doubles quotes', async () => {
  const text = await exported('csv', [entry])
  expect(text).toContain('"id","at","node","kind"')
  expect(text).toContain('"select ""a"",\n$1","[1,""x""]","1.5","2"')
  expect(text.endsWith('\r\n')).toBe(true)
})

test.each(['=1+1', '+1', '-1', '@SUM(1)', ' =1', '\t=1', '\r=1', '\n', '\uFF1D1', '|calc'])(
  'a spreadsheet takes %j for a text',
  async (sql) => {
    expect(await exported('csv', [{ ...entry, sql, caller: sql }])).toContain(
      `"'${sql}","[1,""x""]"`,
    )
  },
)
