import type { AuditEvent } from '@engine/core'
import type { AuditSettings, QueryEvent } from '@engine/core/server'

/** The settings of a configuration with `audit: { enabled: true }`. */
export const auditSettings: AuditSettings = {
  enabled: true,
  logQuery: true,
  logParams: false,
  logDuration: true,
  logUser: true,
  logDenied: true,
  logAdminActions: true,
  retentionMs: 90 * 86_400_000,
  piiRedaction: true,
  logSink: false,
}

const origin = {
  correlationId: 'request-1',
  ip: '192.0.2.1',
  via: 'http',
  caller: 'ada',
  roles: ['clerk'],
  credentialId: 'session-1',
}

export function queryEvent(sql: string, more: Partial<QueryEvent> = {}): QueryEvent {
  const event: QueryEvent = {
    ...origin,
    kind: 'query',
    connection: 'main',
    sql,
    params: [7, 'ada@example.com'],
    durationMs: 1.5,
    rowCount: 1,
    error: undefined,
  }
  return { ...event, ...more }
}

export function denialEvent(message: string): AuditEvent {
  return {
    ...origin,
    kind: 'denial',
    sql: undefined,
    params: undefined,
    error: 'PERMISSION_DENIED',
    message,
  }
}

export function adminEvent(facts: Readonly<Record<string, unknown>>): AuditEvent {
  return { ...origin, kind: 'admin', action: 'user-updated', facts, via: 'admin' }
}
