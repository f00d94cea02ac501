/** @module Converts the recorded data of an event to the entry that is written: redacted, storable in every database. */
import type { AuditEntry } from './audit-entry.ts'
import type { PendingEntry } from './pending-entry.ts'
import type { Redaction } from './redaction/redact.ts'

export interface EntryStamp {
  readonly id: string
  readonly timeMs: number
  readonly node: string
}

/** Runs after the request: redaction takes longer than everything else about an entry. */
export function finishEntry(
  pending: PendingEntry,
  { id, timeMs, node }: EntryStamp,
  redaction: Redaction,
): AuditEntry {
  const { kind, via, correlationId, ip, caller, roles, credentialId } = pending
  const { connection, action, sql, params, durationMs, rowCount, error, message, facts } = pending
  const redactFacts = kind === 'auth' || kind === 'admin' ? redaction.facts : redaction.value
  return {
    id,
    at: isoTime(timeMs),
    node: short(node, 64),
    kind,
    via: shortOrNull(via, 191),
    correlationId: shortOrNull(correlationId, 128),
    ip: shortOrNull(ip, 64),
    caller: caller === null ? null : short(redaction.identity(caller), 191),
    roles: roles?.map((role) => short(redaction.text(role), 191)) ?? null,
    credentialId: shortOrNull(credentialId, 128),
    connection: shortOrNull(connection, 191),
    action: shortOrNull(action, 191),
    sql: sql === null ? null : storable(redaction.text(sql)),
    params: params === null ? null : (clean(redaction.value(params)) as readonly unknown[]),
    durationMs,
    rowCount,
    error: shortOrNull(error, 64),
    message: message === null ? null : storable(redaction.text(message)),
    facts: facts === null ? null : (clean(redactFacts(facts)) as AuditEntry['facts']),
  }
}

let last = { timeMs: Number.NaN, text: '' }

/** Many entries have the same millisecond. */
function isoTime(timeMs: number): string {
  if (timeMs !== last.timeMs) last = { timeMs, text: new Date(timeMs).toISOString() }
  return last.text
}

/** PostgreSQL cannot store U+0000, and no database can store half of a surrogate pair. */
function storable(text: string): string {
  const whole = text.includes('\u0000') ? text.replaceAll('\u0000', '\uFFFD') : text
  return whole.toWellFormed()
}

function short(text: string, length: number): string {
  return storable(text.length > length ? text.slice(0, length) : text)
}

function shortOrNull(text: string | null, length: number): string | null {
  return text === null ? null : short(text, length)
}

/** A JSON value: already bounded, so this is quick. */
function clean(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(clean)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [storable(key), clean(item)]),
  )
}
