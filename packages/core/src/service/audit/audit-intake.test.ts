import { expect, test } from 'vitest'
import type { AuditSettings } from '../../config/settings/operations-settings.ts'
import { silentLog } from '../../foundation/log.ts'
import { createAuditIntake } from './audit-intake.ts'
import { keepsAll } from './redaction/redact.ts'

const settings: AuditSettings = {
  enabled: true,
  logQuery: true,
  logParams: true,
  logDuration: true,
  logUser: true,
  logDenied: true,
  logAdminActions: true,
  retentionMs: 1_000,
  piiRedaction: false,
  logSink: false,
}

const origin = {
  via: 'http',
  correlationId: 'c',
  ip: undefined,
  caller: undefined,
  roles: [],
  credentialId: undefined,
} as const

/** An intake with five queries, and the numbers of entries of its batches. */
function batchesOf(bounds: { readonly batchEntries: number; readonly prepareMs: number }) {
  const intake = createAuditIntake({
    settings: () => settings,
    redaction: () => keepsAll,
    log: silentLog,
    clock: Date.now,
    node: 'test',
    bounds: { queueEntries: 100, queueSize: 10_000, waitMs: 100, ...bounds },
    wake: () => undefined,
  })
  for (let i = 0; i < 5; i += 1) {
    void intake.record({ ...origin, kind: 'admin', action: `action ${i}`, facts: {} })
  }
  const actions: (string | null)[] = []
  const sizes: number[] = []
  const fills: string[] = []
  for (let batch = intake.take(); batch.length > 0; batch = intake.take()) {
    sizes.push(batch.length)
    fills.push(intake.fill())
    actions.push(...batch.map(({ context }) => context.action))
  }
  intake.close()
  return { sizes, fills, actions }
}

const all = ['action 0', 'action 1', 'action 2', 'action 3', 'action 4']

test('a batch has at most so many entries', () => {
  const bounds = { batchEntries: 2, prepareMs: Number.POSITIVE_INFINITY }
  expect(batchesOf(bounds)).toEqual({
    sizes: [2, 2, 1],
    fills: ['many', 'some', 'empty'],
    actions: all,
  })
})

test('a batch ends when it takes long to prepare; the other entries are written at once after it', () => {
  expect(batchesOf({ batchEntries: 100, prepareMs: 0 })).toEqual({
    sizes: [1, 1, 1, 1, 1],
    fills: ['many', 'many', 'many', 'many', 'empty'],
    actions: all,
  })
})
