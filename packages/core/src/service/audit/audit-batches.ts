/**
 * @module Batches: entries of many statements in one row. Under load, a row with four indexes for each of them costs the database as
 * much as the statements themselves.
 */
import { timeOfId } from '../../foundation/time-ids.ts'
import type { EntryContext, FinishedEntry } from './audit-entry.ts'
import {
  type AuditBatchRow,
  type AuditRow,
  contextColumns,
  contextValues,
  ownColumns,
  ownValues,
} from './audit-tables.ts'

/** Entries to insert: each is in one of the two. */
export interface PackedEntries {
  /** With rows of their own. */
  readonly single: readonly FinishedEntry[]
  /** Each becomes one row; in ascending order of ids. */
  readonly batches: readonly (readonly FinishedEntry[])[]
}

/** Fewer entries than this have rows of their own, which the database finds by its indexes. */
const leastEntries = 16

/** Maximum time between the first and the last entry of a batch, in milliseconds: readers rely on it. */
export const mostSpanMs = 1_000

/**
 * Decides which entries are stored together: those of statements that come one after the other. It depends on nothing else, so that
 * a repeated attempt makes the same batches.
 */
export function packEntries(entries: readonly FinishedEntry[]): PackedEntries {
  const single: FinishedEntry[] = []
  const batches: FinishedEntry[][] = []
  let current: FinishedEntry[] = []
  const end = () => {
    if (current.length < leastEntries) single.push(...current)
    else batches.push(current)
    current = []
  }
  for (const entry of entries) {
    if (entry.context.kind !== 'query') {
      single.push(entry)
      continue
    }
    if (!follows(current, entry)) end()
    current.push(entry)
  }
  end()
  return { single, batches }
}

function follows(current: readonly FinishedEntry[], entry: FinishedEntry): boolean {
  const first = current[0]
  const last = current.at(-1)
  if (first === undefined || last === undefined) return true
  return entry.id > last.id && timeOfId(entry.id) - timeOfId(first.id) <= mostSpanMs
}

/** @param entries at least one; in ascending order of ids. */
export function batchRowOf(entries: readonly FinishedEntry[]): AuditBatchRow {
  const contexts = new Map<EntryContext, number>()
  const values = entries.map((entry) => {
    const known = contexts.get(entry.context)
    if (known === undefined) contexts.set(entry.context, contexts.size)
    return ownValues(entry, known ?? contexts.size - 1)
  })
  return {
    id: entries.at(-1)?.id ?? '',
    first_id: entries[0]?.id ?? '',
    entry_count: entries.length,
    marks: marksOf(entries),
    contexts: JSON.stringify([...contexts.keys()].map(contextValues)),
    entries: JSON.stringify(values),
  }
}

type Values = readonly (string | number | null)[]

/** The rows of a batch, as they would be in the table. */
export function rowsOfBatch(batch: Pick<AuditBatchRow, 'contexts' | 'entries'>): AuditRow[] {
  const contexts = (JSON.parse(batch.contexts) as readonly Values[]).map((values) =>
    Object.fromEntries(contextColumns.map((name, i) => [name, values[i]])),
  )
  return (JSON.parse(batch.entries) as readonly Values[]).map(([context, ...values]) => ({
    ...contexts[Number(context)],
    ...(Object.fromEntries(ownColumns.map((name, i) => [name, values[i]])) as unknown as AuditRow),
  }))
}

/** The marks of all callers and correlation ids of a batch. */
function marksOf(entries: readonly FinishedEntry[]): string {
  const hashes = new Set<number>()
  let lastContext: EntryContext | undefined
  for (const { context, correlationId } of entries) {
    if (context !== lastContext && context.caller !== null) hashes.add(hashOf(context.caller))
    lastContext = context
    if (correlationId !== null) hashes.add(hashOf(correlationId))
  }
  let marks = ''
  for (const hash of hashes) marks += markOfHash(hash)
  return marks
}

/**
 * What `marks` of a batch contains when one of its entries has this caller or correlation id; others can have the same mark, about
 * one of 260 000.
 */
export function markOf(value: string): string {
  return markOfHash(hashOf(value))
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

function markOfHash(hash: number): string {
  return ` ${digits[hash & 63]}${digits[(hash >>> 6) & 63]}${digits[(hash >>> 12) & 63]}`
}

/** FNV-1a, the last 18 bits mixed with those before. */
function hashOf(value: string): number {
  let hash = 0x81_1c_9d_c5
  for (let i = 0; i < value.length; i += 1) {
    hash = Math.imul(hash ^ value.charCodeAt(i), 0x01_00_01_93)
  }
  return (hash ^ (hash >>> 18)) & 0x3_ff_ff
}
