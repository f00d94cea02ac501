/** @module The audit: takes events off the request's path and keeps them in the service database. */
import { randomBytes } from 'node:crypto'
import type { AuditSettings } from '../config/operations-settings.ts'
import { GatewayError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Audit, AuditEvent } from './audit-event.ts'
import { createAuditQueue } from './audit-queue.ts'
import { type AuditReader, createAuditReader } from './audit-reader.ts'
import { auditMigrations } from './audit-tables.ts'
import { createAuditWriter } from './audit-writer.ts'
import { createEntryIds } from './entry-id.ts'
import { finishEntry } from './finish-entry.ts'
import { type PendingEntry, pendingEntry, sizeOf } from './pending-entry.ts'
import { redactionFor } from './redaction/redaction-for.ts'
import { createRetention } from './retention.ts'
import { writeEntries } from './write-entries.ts'

export interface AuditOptions {
  readonly settings: AuditSettings
  readonly store: Store
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Names this node in entries; random by default. */
  readonly nodeId?: string
  /**
   * Key material for the hashes of e-mail addresses: the same on every node and after every restart, or events of one
   * account cannot be put together. Random by default.
   */
  readonly secret?: string | undefined
  readonly bounds?: Partial<AuditBounds>
}

/** How much may wait, and for how long. Milliseconds. */
export interface AuditBounds {
  /** Entries wait so long for others to be written with: what a crash can lose, besides what is being written. */
  readonly flushMs: number
  /** Entries written at a time. */
  readonly batchEntries: number
  /** Entries that may wait, and about how many characters they may hold. */
  readonly queueEntries: number
  readonly queueSize: number
  /** What must not be lost waits so long for room in the queue. */
  readonly waitMs: number
  /** `flush` and `close` wait so long for the database. */
  readonly closeMs: number
}

/** The audit with all that an operator may ask of it. */
export interface AuditLog extends Audit, AuditReader {
  /** False: nothing is recorded; what was is still there, until it is too old. */
  readonly isEnabled: boolean
  /** Names this node in entries. */
  readonly node: string
  readonly status: () => AuditStatus
  /**
   * For changes that must not be made unseen.
   *
   * @throws {GatewayError} `unavailable` (503) when the audit is on and cannot be written at present.
   */
  requireWritable(): void
}

export interface AuditStatus {
  readonly isEnabled: boolean
  /** Entries that wait. */
  readonly queued: number
  readonly written: number
  /** Entries that were lost: queries for want of room, others when waiting for it had become senseless. */
  readonly lost: number
  /** The last attempt to write failed. */
  readonly isFailing: boolean
}

const usualBounds: AuditBounds = {
  flushMs: 200,
  batchEntries: 200,
  queueEntries: 10_000,
  queueSize: 16_000_000,
  waitMs: 5_000,
  closeMs: 5_000,
}

/** Characters written at a time: redaction of so many takes some milliseconds. */
const batchSize = 200_000

/** Requests that may wait for room in the queue at a time. */
const mostWaiting = 1_000

/** An entry in the queue. */
interface Queued {
  readonly pending: PendingEntry
  readonly id: string
  readonly timeMs: number
}

interface Waiting extends Queued {
  readonly admit: () => void
}

/**
 * Opens the audit. It starts without the database, if that is away.
 *
 * @throws {GatewayError} `invalidConfiguration` when the tables cannot be made.
 */
export async function createAudit(options: AuditOptions): Promise<AuditLog> {
  const { settings, store, log, clock = Date.now, secret } = options
  const { nodeId: node = randomBytes(6).toString('hex') } = options
  const bounds = { ...usualBounds, ...options.bounds }
  const redaction = redactionFor(settings, secret)
  await store.migrate(auditMigrations)

  const nextId = createEntryIds(clock, randomBytes)
  const queue = createAuditQueue<Queued>({ entries: bounds.queueEntries, size: bounds.queueSize })
  const waiting: Waiting[] = []
  /** Lost, and said in the audit; lost otherwise than for want of room, and not said yet. */
  let lost = 0
  let lostOthers = 0
  let isClosed = false

  const finished = ({ pending, id, timeMs }: Queued): AuditEntry =>
    finishEntry(pending, { id, timeMs, node }, redaction)

  /** Not in the database: then at least in the log. */
  const giveUp = (entry: AuditEntry, error?: unknown) => {
    lostOthers += 1
    log.error({ audit: entry, err: error }, 'an entry of the audit could not be written')
  }

  const push = (queued: Queued): boolean =>
    queue.push(queued, sizeOf(queued.pending), queued.pending.kind === 'query')

  /** Lets in who waits for room. */
  const admitWaiting = () => {
    for (let next = waiting[0]; next !== undefined && push(next); next = waiting[0]) {
      waiting.shift()
      next.admit()
    }
  }

  /** Says in the audit itself that something is missing from it. */
  const lossEntry = (): AuditEntry | undefined => {
    const queries = queue.takeDropped()
    const others = lostOthers
    lost += queries + others
    lostOthers = 0
    if (queries + others === 0) return undefined
    log.warn({ queries, others }, 'entries of the audit were lost')
    return finished({ pending: lossOf(queries, others), ...nextId() })
  }

  const prepared = (queued: Queued): readonly AuditEntry[] => {
    try {
      return [finished(queued)]
    } catch (error) {
      lostOthers += 1
      log.error({ err: error, id: queued.id }, 'an entry of the audit could not be prepared')
      return []
    }
  }

  const writer = createAuditWriter({
    take: () => {
      const taken = queue.take({ entries: bounds.batchEntries, size: batchSize }).flatMap(prepared)
      if (settings.logSink) for (const entry of taken) log.info({ audit: entry }, 'audit')
      admitWaiting()
      const loss = lossEntry()
      return loss === undefined ? taken : [loss, ...taken]
    },
    write: (entries) => writeEntries(store, entries),
    onRefused: giveUp,
    log,
    flushMs: bounds.flushMs,
    retryMs: [Math.min(200, bounds.flushMs), 1_000],
  })

  const retention = createRetention({ store, retentionMs: settings.retentionMs, clock, node, log })
  store.whenReady().then(
    () => {
      if (!isClosed) retention.start()
    },
    (error: unknown) => log.error({ err: error }, 'the audit has no tables'),
  )

  const waitForRoom = (queued: Queued): Promise<void> | undefined => {
    if (waiting.length >= mostWaiting) {
      giveUp(finished(queued))
      return undefined
    }
    return new Promise((resolve) => {
      const timeout = setTimeout(() => {
        waiting.splice(waiting.indexOf(own), 1)
        giveUp(finished(queued))
        resolve()
      }, bounds.waitMs)
      const own: Waiting = {
        ...queued,
        admit: () => {
          clearTimeout(timeout)
          resolve()
        },
      }
      waiting.push(own)
    })
  }

  const record = (event: AuditEvent): Promise<void> | undefined => {
    const pending = settings.enabled ? pendingEntry(event, settings) : undefined
    if (pending === undefined) return undefined
    const queued = { pending, ...nextId() }
    if (isClosed) {
      giveUp(finished(queued))
      return undefined
    }
    const isIn = waiting.length === 0 || pending.kind === 'query' ? push(queued) : false
    writer.wake(queue.length() >= bounds.batchEntries)
    return isIn ? undefined : waitForRoom(queued)
  }

  const flush = () => withinTime(writer.whenIdle(), bounds.closeMs)

  return {
    ...createAuditReader(store, redaction),
    isEnabled: settings.enabled,
    node,
    record,
    flush,
    close: async () => {
      if (isClosed) return
      await flush()
      isClosed = true
      await retention.close()
      const unwritten = await writer.stop()
      for (const entry of unwritten) giveUp(entry)
      for (const queued of queue.take({ entries: Infinity, size: Infinity })) {
        if (queued.pending.kind === 'query') lostOthers += 1
        else giveUp(finished(queued))
      }
      for (const { admit } of waiting.splice(0)) admit()
    },
    requireWritable: () => {
      if (!settings.enabled || !(writer.isFailing() || waiting.length > 0)) return
      throw new GatewayError('unavailable', 'The audit cannot be written at present.')
    },
    status: () => ({
      isEnabled: settings.enabled,
      queued: queue.length() + waiting.length,
      written: writer.written(),
      lost: lost + lostOthers,
      isFailing: writer.isFailing(),
    }),
  }
}

function lossOf(queries: number, others: number): PendingEntry {
  return {
    kind: 'loss',
    via: 'system',
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
    message: `${queries + others} entries are missing here.`,
    facts: { queries, others },
  }
}

async function withinTime(work: Promise<void>, ms: number): Promise<void> {
  let timeout: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timeout = setTimeout(resolve, ms)
  })
  await Promise.race([work, late])
  clearTimeout(timeout)
}
