import { expect, test } from 'vitest'
import { entryOf } from './audit-entry.ts'
import { createFinisher } from './finish-entry.ts'
import { emptyEntry, type PendingEntry } from './pending-entry.ts'
import { createRedaction, keepsAll } from './redaction/redact.ts'

const stamp = { id: 'an id', timeMs: 0 }

const pending: PendingEntry = {
  ...emptyEntry,
  via: 'http',
  ip: '192.0.2.1',
  caller: 'ada',
  roles: ['clerk'],
  credentialId: 'session',
  connection: 'main',
  sql: 'select $1',
  params: [1],
}

test('statements that differ in their own values alone have the same context', () => {
  const finish = createFinisher('one', () => keepsAll)
  const first = finish(pending, stamp)
  const second = finish({ ...pending, roles: ['clerk'], params: [2], rowCount: 3 }, stamp)
  expect(second.context).toBe(first.context)
  expect([first.params, second.params]).toEqual([[1], [2]])
})

test.each<[string, Partial<PendingEntry>]>([
  ['kind', { kind: 'denial' }],
  ['via', { via: 'pgwire' }],
  ['ip', { ip: '192.0.2.2' }],
  ['ip', { ip: null }],
  ['caller', { caller: 'bob' }],
  ['caller', { caller: null }],
  ['roles', { roles: ['clerk', 'admin'] }],
  ['roles', { roles: ['admin'] }],
  ['roles', { roles: null }],
  ['credentialId', { credentialId: null }],
  ['connection', { connection: 'other' }],
  ['action', { action: 'act' }],
  ['sql', { sql: 'select 2' }],
  ['sql', { sql: null }],
  ['error', { error: 'CONFLICT' }],
  ['message', { message: 'No.' }],
])('a context has the %s of its own entry', (name, change) => {
  const finish = createFinisher('one', () => keepsAll)
  finish(pending, stamp)
  const changed = { ...pending, ...change }
  expect(entryOf(finish(changed, stamp))).toMatchObject(changed)
  expect(entryOf(finish(pending, stamp))).toMatchObject(pending)
  expect(change).toHaveProperty(name)
})

test('no caller and a caller with an empty name are different', () => {
  const finish = createFinisher('one', () => keepsAll)
  expect(finish({ ...pending, caller: '' }, stamp).context.caller).toBe('')
  expect(finish({ ...pending, caller: null }, stamp).context.caller).toBeNull()
})

test('a context is made anew when the redaction changes', () => {
  let redaction = keepsAll
  const finish = createFinisher('one', () => redaction)
  const query = { ...pending, sql: "select 'ada@example.com'" }
  expect(finish(query, stamp).context.sql).toBe(query.sql)
  redaction = createRedaction(() => 'hidden')
  expect(finish(query, stamp).context.sql).toBe("select '[email]'")
})

test('more contexts than are remembered are each right', () => {
  const finish = createFinisher('one', () => keepsAll)
  const callers = Array.from({ length: 1_500 }, (_, i) => `user-${i}`)
  for (const caller of [...callers, ...callers]) {
    expect(finish({ ...pending, caller }, stamp).context.caller).toBe(caller)
  }
})
