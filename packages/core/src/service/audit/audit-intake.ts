/** @module Accepts events from requests, and passes entries to the writer: the queue between them is bounded. */
import { randomBytes } from 'node:crypto'
import type { AuditSettings } from '../../config/settings/operations-settings.ts'
import type { AuditEvent } from '../../foundation/audit-event.ts'
import type { Log } from '../../foundation/log.ts'
import { createTimeIds } from '../../foundation/time-ids.ts'
import { entryOf, type FinishedEntry } from './audit-entry.ts'
import { createAuditQueue, type QueueItem } from './audit-queue.ts'
import { createBackpressureQueue } from './backpressure-queue.ts'
import { createDenialThrottle, type Repeated } from './denial-throttle.ts'
import { createFinisher } from './finish-entry.ts'
import { emptyEntry, type PendingEntry, pendingEntry, sizeOf } from './pending-entry.ts'
import type { Redaction } from './redaction/redact.ts'

export interface AuditIntakeOptions {
  /** Of the moment, like the redaction. */
  readonly settings: () => AuditSettings
  readonly redaction: () => Redaction
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock: () => number
  /** Names this node in entries. */
  readonly node: string
  readonly bounds: {
    readonly queueEntries: number
    readonly queueSize: number
    readonly batchEntries: number
    readonly prepareMs: number
    readonly waitMs: number
  }
  /** Called when there are entries to take; with `now` when there is a full batch. */
  readonly wake: (now: boolean) => void
}

export interface AuditIntake {
  /** As `Audit.record`. */
  record(event: AuditEvent): Promise<void> | undefined
  /** Entries to be written next, redacted; empty when there are none. */
  take(): readonly FinishedEntry[]
  /** Logs an entry that could not be written to the database. */
  giveUp(entry: FinishedEntry, error?: unknown): void
  /** `many`: a full batch, the rest of one that was cut short, or requests wait for room. */
  readonly fill: () => 'empty' | 'some' | 'many'
  /** The number of entries in the queue, including those of requests that wait for room. */
  readonly queued: () => number
  /** Requests that wait for room. */
  readonly waiting: () => number
  readonly lost: () => number
  /** Events that were only counted become entries at the next `take`. */
  beginClose(): void
  /** Gives up the remaining entries, and all later events. */
  close(): void
}

/** Requests that may wait for room at a time. */
const mostWaiting = 1_000

/** Milliseconds until refusals that were only counted become entries. */
const countedMs = 60_000

interface Queued extends QueueItem {
  readonly pending: PendingEntry
  readonly id: string
  readonly timeMs: number
}

export function createAuditIntake(options: AuditIntakeOptions): AuditIntake {
  const { settings, redaction, log, clock, node, bounds, wake } = options
  const nextId = createTimeIds(clock, randomBytes(8))
  const queue = createAuditQueue<Queued>({ entries: bounds.queueEntries, size: bounds.queueSize })
  const throttle = createDenialThrottle(clock)
  const lost = { reported: 0, others: 0 }
  let state: 'open' | 'closing' | 'closed' = 'open'
  let countedTimer: NodeJS.Timeout | undefined
  /** The last batch took so long to prepare that the next one must follow it at once. */
  let isCutShort = false

  const queuedOf = (pending: PendingEntry): Queued => {
    const { id, timeMs } = nextId()
    return { pending, id, timeMs, size: sizeOf(pending) }
  }

  const finish = createFinisher(node, redaction)
  const finished = (queued: Queued): FinishedEntry | undefined => {
    try {
      return finish(queued.pending, queued)
    } catch (error) {
      lost.others += 1
      log.error({ err: error, id: queued.id }, 'an entry of the audit could not be prepared')
      return undefined
    }
  }
  /** The entries of a batch: redaction of long statements takes so long that a few of them are one. */
  const takeFinished = (): readonly FinishedEntry[] => {
    const begunMs = performance.now()
    const isLate = () => performance.now() - begunMs > bounds.prepareMs
    const entries: FinishedEntry[] = []
    isCutShort = false
    while (entries.length < bounds.batchEntries && !isCutShort) {
      const next = queue.next()
      if (next === undefined) break
      const entry = finished(next)
      if (entry !== undefined) entries.push(entry)
      // An empty batch would say that there are no more.
      isCutShort = entries.length > 0 && isLate()
    }
    return entries
  }
  const giveUp = (entry: FinishedEntry, error?: unknown) => {
    lost.others += 1
    log.error({ audit: entryOf(entry), err: error }, 'an entry of the audit could not be written')
  }
  const giveUpQueued = (queued: Queued) => {
    const entry = finished(queued)
    if (entry !== undefined) giveUp(entry)
  }
  const overflow = createBackpressureQueue({
    most: mostWaiting,
    waitMs: bounds.waitMs,
    giveUp: giveUpQueued,
  })
  const push = (queued: Queued): boolean => queue.push(queued, queued.pending.kind === 'query')

  /** Checks again after a minute: there may be no later event that would do it. */
  const expectCounted = () => {
    countedTimer ??= setTimeout(() => {
      countedTimer = undefined
      wake(false)
      if (throttle.hasCounted()) expectCounted()
    }, countedMs).unref()
  }

  const isCounted = (event: AuditEvent): boolean => {
    if (event.kind !== 'denial' || !settings().logDenied || throttle.admit(event)) return false
    expectCounted()
    return true
  }

  const enter = (event: AuditEvent): Promise<void> | undefined => {
    if (!settings().enabled || isCounted(event)) return undefined
    const pending = pendingEntry(event, settings())
    if (pending === undefined) return undefined
    const queued = queuedOf(pending)
    if (state === 'closed') {
      giveUpQueued(queued)
      return undefined
    }
    // Entries that can wait are admitted in the order of their arrival.
    const isIn = (overflow.count() === 0 || pending.kind === 'query') && push(queued)
    wake(queue.length() >= bounds.batchEntries)
    return isIn ? undefined : overflow.enter(queued)
  }

  /** Entries of the audit about itself: refusals that were only counted, and lost entries. */
  const ownEntries = (): readonly FinishedEntry[] => {
    const repeated = throttle.take(state !== 'open')
    const notes = repeated.map((each) => repeatedEntry(each, settings()))
    const queries = queue.takeDropped()
    const { others } = lost
    if (queries + others > 0) {
      lost.reported += queries + others
      lost.others = 0
      log.warn({ queries, others }, 'entries of the audit were lost')
      notes.push(lossEntry(queries, others))
    }
    return notes.flatMap((pending) => finished(queuedOf(pending)) ?? [])
  }

  return {
    record: (event) => {
      try {
        return enter(event)
      } catch (error) {
        lost.others += 1
        log.error({ err: error, kind: event.kind }, 'an event could not be taken into the audit')
        return undefined
      }
    },
    take: () => {
      const taken = takeFinished()
      overflow.admit(push)
      const own = ownEntries()
      const entries = own.length === 0 ? taken : [...own, ...taken]
      if (settings().logSink) {
        for (const entry of entries) log.info({ audit: entryOf(entry) }, 'audit')
      }
      return entries
    },
    giveUp,
    fill: () => {
      if (overflow.count() > 0 || queue.length() >= bounds.batchEntries) return 'many'
      if (queue.length() === 0) return 'empty'
      return isCutShort ? 'many' : 'some'
    },
    queued: () => queue.length() + overflow.count(),
    waiting: () => overflow.count(),
    lost: () => lost.reported + lost.others,
    beginClose: () => {
      state = 'closing'
    },
    close: () => {
      state = 'closed'
      clearTimeout(countedTimer)
      overflow.clear()
      for (let queued = queue.next(); queued !== undefined; queued = queue.next()) {
        if (queued.pending.kind === 'query') lost.others += 1
        else giveUpQueued(queued)
      }
    },
  }
}

function repeatedEntry(
  { ip, via, error, count }: Repeated,
  { logUser }: AuditSettings,
): PendingEntry {
  return {
    ...emptyEntry,
    kind: 'denial',
    via,
    ip: logUser ? (ip ?? null) : null,
    error,
    message: `${count} more refusals like those before.`,
    facts: { repeated: count },
  }
}

function lossEntry(queries: number, others: number): PendingEntry {
  return {
    ...emptyEntry,
    kind: 'loss',
    via: 'system',
    message: `${queries + others} entries are missing here.`,
    facts: { queries, others },
  }
}
