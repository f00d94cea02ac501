import type { AuditKind } from '@engine/contract/admin-api'
import { expect, test } from 'vitest'
import { createTimeIds } from '../../foundation/time-ids.ts'
import { batchRowOf, markOf, packEntries, rowsOfBatch } from './audit-batches.ts'
import type { FinishedEntry } from './audit-entry.ts'
import { auditColumns, contextColumns, ownColumns, toRow } from './audit-tables.ts'
import { createFinisher } from './finish-entry.ts'
import { emptyEntry } from './pending-entry.ts'
import { keepsAll } from './redaction/redact.ts'

/** One entry for each time, in milliseconds since 1970. */
function entriesAt(times: readonly number[], kind: AuditKind = 'query'): readonly FinishedEntry[] {
  const finish = createFinisher('one', () => keepsAll)
  let nowMs = 0
  const nextId = createTimeIds(() => nowMs, new Uint8Array(8))
  return times.map((timeMs, i) => {
    nowMs = timeMs
    const sql = `select ${i % 3}`
    const who = { caller: `user-${i % 7}`, correlationId: `request-${i}` }
    return finish({ ...emptyEntry, ...who, kind, sql, params: [i, 'x"'] }, nextId())
  })
}

const every = (ms: number, count: number) => Array.from({ length: count }, (_, i) => 1_000 + i * ms)

test('statements of the same second are a batch, fewer than 16 are not', () => {
  const rows = entriesAt(every(1, 16))
  expect(packEntries(rows)).toEqual({ single: [], batches: [rows] })
  expect(packEntries(rows.slice(1))).toEqual({ single: rows.slice(1), batches: [] })
})

test('a batch ends a second after its first entry', () => {
  const rows = entriesAt(every(50, 50))
  const { single, batches } = packEntries(rows)
  expect(batches.map((batch) => batch.length)).toEqual([21, 21])
  expect([...batches.flat(), ...single]).toEqual(rows)
})

test('what is no statement has a row of its own, and is not in the way of a batch', () => {
  const statements = entriesAt(every(1, 20))
  const denials = entriesAt(every(1, 20), 'denial')
  const mixed = statements.flatMap((row, i) => [row, ...denials.slice(i, i + 1)])
  expect(packEntries(mixed)).toEqual({ single: denials, batches: [statements] })
})

test('what an attempt leaves makes the same batches in the next one', () => {
  const { single, batches } = packEntries(entriesAt([...every(10, 300), 9_000, 9_001]))
  expect(batches.length).toBeGreaterThan(1)
  for (let done = 0; done <= batches.length; done += 1) {
    const left = batches.slice(done)
    expect(packEntries(left.flat())).toEqual({ single: [], batches: left })
    expect(packEntries([...left.flat(), ...single])).toEqual({ single, batches: left })
  }
})

test('a batch has all columns of its entries, and tells who may be in it', () => {
  const entries = entriesAt(every(1, 100))
  const rows = entries.map(toRow)
  expect(Object.keys(rows[0] ?? {})).toEqual(auditColumns)
  expect([...contextColumns, ...ownColumns].toSorted()).toEqual([...auditColumns].toSorted())
  const batch = batchRowOf(entries)
  expect(rowsOfBatch(batch)).toEqual(rows)
  expect(batch).toMatchObject({ id: rows[99]?.id, first_id: rows[0]?.id, entry_count: 100 })
  for (const { caller, correlation_id: correlationId } of rows) {
    expect(batch.marks).toContain(markOf(caller ?? ''))
    expect(batch.marks).toContain(markOf(correlationId ?? ''))
  }
  const others = Array.from({ length: 1_000 }, (_, i) => markOf(`other-${i}`))
  expect(others.filter((mark) => batch.marks.includes(mark)).length).toBeLessThan(10)
})

test('what entries have in common is in their batch once', () => {
  const { contexts } = batchRowOf(entriesAt(every(1, 100)))
  expect(JSON.parse(contexts)).toHaveLength(3 * 7)
})
