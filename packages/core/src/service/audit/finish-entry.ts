/** @module Converts the recorded data of an event to the entry that is written: redacted, storable in every database. */
import type { AuditEntry } from '@engine/contract/admin-api'
import type { EntryContext, FinishedEntry } from './audit-entry.ts'
import type { PendingEntry } from './pending-entry.ts'
import type { Redaction } from './redaction/redact.ts'

export interface EntryStamp {
  readonly id: string
  readonly timeMs: number
}

/** Runs after the request: redaction takes longer than everything else about an entry. */
export type FinishEntry = (pending: PendingEntry, stamp: EntryStamp) => FinishedEntry

/** Contexts that are remembered, and their longest statement. */
const remembered = { contexts: 1_000, length: 2_000 } as const

/** A context, and what it was made from. */
interface KnownContext {
  readonly pending: PendingEntry
  readonly context: EntryContext
}

/**
 * @param node names this node in entries.
 * @param redaction of the moment.
 */
export function createFinisher(node: string, redaction: () => Redaction): FinishEntry {
  const storedNode = short(node, 64)
  /** By statement and caller. */
  const known = new Map<string, Map<string, KnownContext>>()
  let count = 0
  let current: Redaction | undefined

  const forget = () => {
    known.clear()
    count = 0
  }

  /** Programs send the same statements for the same callers again and again. */
  const contextOf = (pending: PendingEntry, redact: Redaction): EntryContext => {
    const { kind, sql, caller } = pending
    if (kind !== 'query' || sql === null || sql.length > remembered.length) {
      return makeContext(pending, storedNode, redact)
    }
    const name = caller ?? ''
    const found = known.get(sql)?.get(name)
    if (found !== undefined && hasSameContext(found.pending, pending)) return found.context
    if (count >= remembered.contexts) forget()
    const context = makeContext(pending, storedNode, redact)
    const callers = known.get(sql) ?? new Map<string, KnownContext>()
    known.set(
      sql,
      callers.set(name, { pending: { ...pending, params: null, facts: null }, context }),
    )
    if (found === undefined) count += 1
    return context
  }

  return (pending, { id, timeMs }) => {
    const redact = redaction()
    if (redact !== current) forget()
    current = redact
    const { kind, correlationId, params, durationMs, rowCount, facts } = pending
    const redactFacts = kind === 'auth' || kind === 'admin' ? redact.facts : redact.value
    return {
      id,
      timeMs,
      context: contextOf(pending, redact),
      correlationId: shortOrNull(correlationId, 128),
      params: params === null ? null : (clean(redact.value(params)) as readonly unknown[]),
      durationMs,
      rowCount,
      facts: facts === null ? null : (clean(redactFacts(facts)) as AuditEntry['facts']),
    }
  }
}

function makeContext(pending: PendingEntry, node: string, redaction: Redaction): EntryContext {
  const { kind, via, ip, caller, roles, credentialId, connection, action } = pending
  const { sql, error, message } = pending
  return {
    node,
    kind,
    via: shortOrNull(via, 191),
    ip: shortOrNull(ip, 64),
    caller: caller === null ? null : short(redaction.identity(caller), 191),
    roles: roles?.map((role) => short(redaction.text(role), 191)) ?? null,
    credentialId: shortOrNull(credentialId, 128),
    connection: shortOrNull(connection, 191),
    action: shortOrNull(action, 191),
    sql: sql === null ? null : storable(redaction.text(sql)),
    error: shortOrNull(error, 64),
    message: message === null ? null : storable(redaction.text(message)),
  }
}

/** @param known of the same kind, statement and caller. */
function hasSameContext(known: PendingEntry, pending: PendingEntry): boolean {
  return (
    known.ip === pending.ip &&
    known.credentialId === pending.credentialId &&
    known.connection === pending.connection &&
    known.error === pending.error &&
    known.via === pending.via &&
    known.caller === pending.caller &&
    known.action === pending.action &&
    known.message === pending.message &&
    hasSameRoles(known.roles, pending.roles)
  )
}

function hasSameRoles(left: PendingEntry['roles'], right: PendingEntry['roles']): boolean {
  if (left === right) return true
  if (left === null || right === null || left.length !== right.length) return false
  return left.every((role, i) => role === right[i])
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
