/**
 * @module The data of an event that is recorded during the request: the parts that the settings require, cut to a bounded size.
 */

import type { AuditEntry } from '@engine/contract/admin-api'
import type { AuditSettings } from '../../config/settings/operations-settings.ts'
import {
  type AuditEvent,
  type AuditOrigin,
  type ImpersonatedCaller,
  systemName,
} from '../../foundation/audit-event.ts'
import { boundedText, boundedValue } from './bounded-value.ts'

/** An entry without id, time and node, not redacted yet. */
export type PendingEntry = Omit<AuditEntry, 'id' | 'at' | 'node'>

/** The most characters that are stored of SQL and of messages. */
const longest = { sql: 10_000, message: 2_000 }

/** The most roles that are stored of a caller. */
const mostRoles = 100

/** @returns undefined when the settings leave such events out. */
export function pendingEntry(event: AuditEvent, settings: AuditSettings): PendingEntry | undefined {
  switch (event.kind) {
    case 'query':
      return settings.logQuery ? queryEntry(event, settings) : undefined
    case 'denial': {
      if (!settings.logDenied) return undefined
      const { connection, sql, params, error, message } = event
      return {
        ...emptyEntry,
        ...who(event, settings.logUser),
        kind: 'denial',
        connection: connection ?? null,
        sql: settings.logQuery ? textOf(sql) : null,
        params: settings.logQuery && settings.logParams ? listOf(params) : null,
        error,
        message: boundedText(message, longest.message),
        facts: factsOf({ databaseCode: event.databaseCode, as: asOf(event, settings) }),
      }
    }
    case 'action':
      return {
        ...emptyEntry,
        ...who(event, settings.logUser),
        kind: 'action',
        action: event.action,
        durationMs: settings.logDuration ? rounded(event.durationMs) : null,
        error: event.error ?? null,
        facts: factsOf({ databaseCode: event.databaseCode, as: asOf(event, settings) }),
      }
    case 'auth':
    case 'admin':
      if (event.kind === 'admin' && !settings.logAdminActions) return undefined
      return {
        ...emptyEntry,
        ...who(event, true),
        kind: event.kind,
        action: event.action,
        facts: boundedValue(event.facts) as AuditEntry['facts'],
      }
  }
}

/** Every statement makes one: its fields are written out, since copying objects takes longer than all the rest. */
function queryEntry(
  event: Extract<AuditEvent, { readonly kind: 'query' }>,
  settings: AuditSettings,
): PendingEntry {
  const { logUser, logParams, logDuration } = settings
  const as = asOf(event, settings)
  const { via, correlationId, connection, sql, params, rowCount, error } = event
  const { batch, databaseCode } = event
  return {
    kind: 'query',
    via,
    correlationId: correlationId ?? null,
    ip: (logUser ? event.ip : undefined) ?? null,
    caller: (logUser ? event.caller : systemCaller(event)) ?? null,
    roles: (logUser ? event.roles && boundedRoles(event.roles) : undefined) ?? null,
    credentialId: (logUser ? event.credentialId : undefined) ?? null,
    connection: connection ?? null,
    action: null,
    sql: textOf(sql),
    params: logParams ? listOf(params) : null,
    durationMs: logDuration ? rounded(event.durationMs) : null,
    rowCount: rowCount ?? null,
    error: error ?? null,
    message: null,
    facts:
      batch === undefined && databaseCode === undefined && as === undefined
        ? null
        : factsOf({ batch, databaseCode, as }),
  }
}

function factsOf(facts: {
  readonly batch?: { readonly number: number; readonly of: number } | undefined
  readonly databaseCode: string | undefined
  readonly as: ImpersonatedCaller | undefined
}): AuditEntry['facts'] {
  const known = Object.entries(facts).filter(([, fact]) => fact !== undefined)
  return known.length === 0 ? null : Object.fromEntries(known)
}

function asOf({ as }: AuditOrigin, { logUser }: AuditSettings): ImpersonatedCaller | undefined {
  return as === undefined || !logUser ? undefined : { ...as, roles: boundedRoles(as.roles) }
}

/** All fields that an entry can lack. */
export const emptyEntry: PendingEntry = {
  kind: 'query',
  via: null,
  correlationId: null,
  ip: null,
  caller: null,
  roles: null,
  credentialId: null,
  connection: null,
  action: null,
  sql: null,
  params: null,
  durationMs: null,
  rowCount: null,
  error: null,
  message: null,
  facts: null,
}

/** An address identifies a person just as a name does. */
function who(
  { via, correlationId, ip, caller, roles, credentialId }: AuditOrigin,
  logUser: boolean,
): Partial<PendingEntry> {
  const where = { via, correlationId: correlationId ?? null }
  if (!logUser) return { ...where, caller: systemCaller({ via, caller }) ?? null }
  return {
    ...where,
    ip: ip ?? null,
    caller: caller ?? null,
    roles: roles === undefined ? null : boundedRoles(roles),
    credentialId: credentialId ?? null,
  }
}

/** The engine itself is not a person. */
function systemCaller({ via, caller }: Pick<AuditOrigin, 'via' | 'caller'>): string | undefined {
  return via === systemName && caller === systemName ? caller : undefined
}

function boundedRoles(roles: readonly string[]): readonly string[] {
  return roles.length > mostRoles ? roles.slice(0, mostRoles) : roles
}

function textOf(sql: string | undefined): string | null {
  return sql === undefined ? null : boundedText(sql, longest.sql)
}

function listOf(params: readonly unknown[] | undefined): readonly unknown[] | null {
  return params === undefined ? null : (boundedValue(params) as readonly unknown[])
}

/** A precision of microseconds is enough. */
function rounded(durationMs: number): number {
  return Math.round(durationMs * 1_000) / 1_000
}

/** The approximate number of characters that it takes in memory. */
export function sizeOf({ sql, params, message, facts }: PendingEntry): number {
  const fixed = 300
  return (
    fixed +
    (sql?.length ?? 0) +
    (message?.length ?? 0) +
    (params === null ? 0 : 2 * roughSize(params)) +
    (facts === null ? 0 : 2 * roughSize(facts))
  )
}

/** Values are bounded: this takes little time. */
function roughSize(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + roughSize(item), 16)
}
