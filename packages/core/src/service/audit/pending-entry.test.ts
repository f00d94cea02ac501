import { expect, test } from 'vitest'
import type { AuditSettings } from '../../config/settings/operations-settings.ts'
import type { AuditEvent } from '../../foundation/audit-event.ts'
import { pendingEntry } from './pending-entry.ts'

const everything: AuditSettings = {
  enabled: true,
  logQuery: true,
  logParams: true,
  logDuration: true,
  logUser: true,
  logDenied: true,
  logAdminActions: true,
  retentionMs: 1,
  piiRedaction: false,
  logSink: false,
}
const without = (option: keyof AuditSettings) => ({ ...everything, [option]: false })

const origin = {
  correlationId: 'request-1',
  ip: '192.0.2.1',
  via: 'http',
  caller: 'ada',
  roles: ['clerk'],
  credentialId: 'session-1',
}
const who = { ip: '192.0.2.1', caller: 'ada', roles: ['clerk'], credentialId: 'session-1' }
const nobody = { ip: null, caller: null, roles: null, credentialId: null }

const query: AuditEvent = {
  ...origin,
  kind: 'query',
  connection: 'main',
  sql: 'select $1',
  params: [7],
  durationMs: 1.23456,
  rowCount: 1,
  error: undefined,
}
const denial: AuditEvent = {
  ...origin,
  kind: 'denial',
  sql: 'select $1',
  params: [7],
  error: 'PERMISSION_DENIED',
  message: 'no',
}
const change: AuditEvent = { ...origin, kind: 'admin', action: 'api-key-created', facts: { id: 1 } }

test('a statement is kept with all that is known of it', () => {
  expect(pendingEntry(query, everything)).toMatchObject({
    kind: 'query',
    ...who,
    correlationId: 'request-1',
    connection: 'main',
    sql: 'select $1',
    params: [7],
    durationMs: 1.235,
    rowCount: 1,
    error: null,
  })
})

test('logQuery: without it there are no entries of statements, and refusals have no SQL', () => {
  expect(pendingEntry(query, without('logQuery'))).toBeUndefined()
  expect(pendingEntry(denial, without('logQuery'))).toMatchObject({
    error: 'PERMISSION_DENIED',
    sql: null,
    params: null,
  })
})

test('logParams: without it there are no values', () => {
  expect(pendingEntry(query, without('logParams'))).toMatchObject({
    sql: 'select $1',
    params: null,
  })
  expect(pendingEntry(denial, without('logParams'))).toMatchObject({ params: null })
})

test('logDuration: without it there are no times', () => {
  expect(pendingEntry(query, without('logDuration'))).toMatchObject({ durationMs: null })
})

test('logUser: without it nobody is named, by address neither', () => {
  expect(pendingEntry(query, without('logUser'))).toMatchObject(nobody)
  expect(pendingEntry(denial, without('logUser'))).toMatchObject(nobody)
})

test('logDenied: without it refusals are not kept', () => {
  expect(pendingEntry(denial, without('logDenied'))).toBeUndefined()
})

test('logAdminActions: without it changes are not kept; with it, always with who made them', () => {
  expect(pendingEntry(change, without('logAdminActions'))).toBeUndefined()
  expect(pendingEntry(change, without('logUser'))).toMatchObject({ ...who, facts: { id: 1 } })
})

test('one statement of a batch says which', () => {
  const second = { ...query, batch: { number: 2, of: 3 } }
  expect(pendingEntry(second, everything)).toMatchObject({ facts: { batch: { number: 2, of: 3 } } })
})

test('a statement of a megabyte is cut', () => {
  const sql = `select '${'x'.repeat(1_000_000)}'`
  const entry = pendingEntry({ ...query, sql, params: [sql, sql] }, everything)
  expect(JSON.stringify(entry).length).toBeLessThan(40_000)
  expect(entry?.sql).toMatch(/…\[\+\d+\]$/)
})
