/** @module Search and export of the audit. */
import {
  type AuditFilter,
  type AuditReader,
  auditKinds,
  type ExportFormat,
  exportFormats,
  isEntryId,
  parseDuration,
} from '@engine/core/server'
import { z } from 'zod'
import type { Answer } from '../../response/answer.ts'
import type { AdminOptions } from './admin-options.ts'
import { type AddRoutes, json, readQuery, recordedChange } from './admin-route.ts'

const text = z.string().min(1).max(200)

const timestamp = z.string().refine((value) => momentMs(value, 0) !== undefined, {
  error: 'expects a time such as 2026-01-31T12:00:00Z, or how long ago: 7d, 12h',
})

const filterInput = {
  kind: z.enum(auditKinds).optional(),
  caller: text.optional(),
  /** Entries of the engine's own statements, too. */
  includeSystem: z.enum(['true', 'false']).optional(),
  connection: text.optional(),
  action: text.optional(),
  error: text.optional(),
  correlationId: text.optional(),
  text: text.optional(),
  since: timestamp.optional(),
  until: timestamp.optional(),
}

const searchInput = z.strictObject({
  ...filterInput,
  before: z.string().refine(isEntryId, { error: 'expects the id of an entry' }).optional(),
  limit: z.coerce.number().int().min(1).max(500).default(50),
})

const exportInput = z.strictObject({
  ...filterInput,
  format: z.enum(exportFormats).default('ndjson'),
})

type FilterInput = z.infer<z.ZodObject<typeof filterInput>>

export function addAuditRoutes(add: AddRoutes, options: AdminOptions): void {
  const { audit, clock } = options
  add('/admin/api/audit', {
    GET: async (call) => {
      const { before, limit, ...filter } = readQuery(call, searchInput)
      const found = await audit.search({
        ...auditFilter(filter, clock()),
        before,
        limit: limit + 1,
      })
      const entries = found.slice(0, limit)
      const next = found.length > limit ? (entries.at(-1)?.id ?? null) : null
      return json({ entries, next })
    },
  })
  add('/admin/api/audit/export', {
    GET: async (call) => {
      const { format, ...filter } = readQuery(call, exportInput)
      const shown = { format, ...filter }
      return recordedChange(options, call, 'audit-exported', async () => ({
        result: await exportAnswer(audit, format, auditFilter(filter, clock())),
        facts: shown,
      }))
    },
  })
}

function auditFilter(
  { since, until, includeSystem, ...rest }: FilterInput,
  nowMs: number,
): AuditFilter {
  return {
    ...rest,
    includeSystem: includeSystem === 'true',
    sinceMs: since === undefined ? undefined : momentMs(since, nowMs),
    untilMs: until === undefined ? undefined : momentMs(until, nowMs),
  }
}

/** A time, or a duration before `nowMs`, in milliseconds since 1970. */
function momentMs(value: string, nowMs: number): number | undefined {
  const ago = parseDuration(value)
  if (ago !== undefined) return nowMs - ago
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/.test(
    value,
  )
  const timeMs = isTime ? Date.parse(value) : Number.NaN
  return Number.isNaN(timeMs) ? undefined : timeMs
}

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
}

/** Reads the first page before the answer begins, so that an unavailable database gives an error and not half a file. */
async function exportAnswer(
  audit: AuditReader,
  format: ExportFormat,
  filter: AuditFilter,
): Promise<Answer> {
  const pieces = audit.export(format, filter)[Symbol.asyncIterator]()
  const first = await pieces.next()
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (first.done === true) controller.close()
      else controller.enqueue(encoder.encode(first.value))
    },
    pull: async (controller) => {
      const piece = await pieces.next()
      if (piece.done === true) controller.close()
      else controller.enqueue(encoder.encode(piece.value))
    },
    cancel: async () => {
      await pieces.return?.()
    },
  })
  return {
    status: 200,
    body,
    headers: {
      'Content-Type': contentTypes[format],
      'Content-Disposition': `attachment; filename="audit.${format}"`,
    },
  }
}
