/** @module Accepts events from requests, and passes entries to the writer: the queue between them is bounded. */
import { randomBytes } from 'node:crypto'
import type { AuditSettings } from '../../config/settings/operations-settings.ts'
import type { AuditEvent } from '../../foundation/audit-event.ts'
import type { Log } from '../../foundation/log.ts'
import { createTimeIds } from '../../foundation/time-ids.ts'
import { entryOf, type FinishedEntry } from './audit-entry.ts'
import { type AuditQueue, createAuditQueue, type QueueItem } from './audit-queue.ts'
import { type BackpressureQueue, createBackpressureQueue } from './backpressure-queue.ts'
import { createDenialThrottle, type DenialThrottle, type Repeated } from './denial-throttle.ts'
import { createFinisher, type FinishEntry } from './finish-entry.ts'
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
  fill(): 'empty' | 'some' | 'many'
  /** The number of entries in the queue, including those of requests that wait for room. */
  queued(): number
  /** Requests that wait for room. */
  waiting(): number
  lost(): number
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
  return new Intake(options)
}

/** A class: the queue, what waits for it and what was lost change together (decision 0088). */
class Intake implements AuditIntake {
  readonly #options: AuditIntakeOptions
  readonly #nextId: ReturnType<typeof createTimeIds>
  readonly #finish: FinishEntry
  readonly #queue: AuditQueue<Queued>
  readonly #overflow: BackpressureQueue<Queued>
  readonly #throttle: DenialThrottle
  readonly #lost = { reported: 0, others: 0 }
  #state: 'open' | 'closing' | 'closed' = 'open'
  #countedTimer: NodeJS.Timeout | undefined
  /** The last batch took so long to prepare that the next one must follow it at once. */
  #isCutShort = false

  constructor(options: AuditIntakeOptions) {
    const { redaction, clock, node, bounds } = options
    this.#options = options
    this.#nextId = createTimeIds(clock, randomBytes(8))
    this.#finish = createFinisher(node, redaction)
    this.#queue = createAuditQueue({ entries: bounds.queueEntries, size: bounds.queueSize })
    this.#overflow = createBackpressureQueue({
      most: mostWaiting,
      waitMs: bounds.waitMs,
      giveUp: (queued: Queued) => this.#giveUpQueued(queued),
    })
    this.#throttle = createDenialThrottle(clock)
  }

  record(event: AuditEvent): Promise<void> | undefined {
    try {
      return this.#enter(event)
    } catch (error) {
      this.#lost.others += 1
      this.#options.log.error(
        { err: error, kind: event.kind },
        'an event could not be taken into the audit',
      )
      return undefined
    }
  }

  take(): readonly FinishedEntry[] {
    const taken = this.#takeFinished()
    this.#overflow.admit((queued) => this.#push(queued))
    const own = this.#ownEntries()
    const entries = own.length === 0 ? taken : [...own, ...taken]
    if (this.#options.settings().logSink) {
      for (const entry of entries) this.#options.log.info({ audit: entryOf(entry) }, 'audit')
    }
    return entries
  }

  giveUp(entry: FinishedEntry, error?: unknown): void {
    this.#lost.others += 1
    this.#options.log.error(
      { audit: entryOf(entry), err: error },
      'an entry of the audit could not be written',
    )
  }

  fill(): 'empty' | 'some' | 'many' {
    if (this.#overflow.count() > 0 || this.#queue.length() >= this.#options.bounds.batchEntries)
      return 'many'
    if (this.#queue.length() === 0) return 'empty'
    return this.#isCutShort ? 'many' : 'some'
  }

  queued(): number {
    return this.#queue.length() + this.#overflow.count()
  }

  waiting(): number {
    return this.#overflow.count()
  }

  lost(): number {
    return this.#lost.reported + this.#lost.others
  }

  beginClose(): void {
    this.#state = 'closing'
  }

  close(): void {
    this.#state = 'closed'
    clearTimeout(this.#countedTimer)
    this.#overflow.clear()
    for (let queued = this.#queue.next(); queued !== undefined; queued = this.#queue.next()) {
      if (queued.pending.kind === 'query') this.#lost.others += 1
      else this.#giveUpQueued(queued)
    }
  }

  #queuedOf(pending: PendingEntry): Queued {
    const { id, timeMs } = this.#nextId()
    return { pending, id, timeMs, size: sizeOf(pending) }
  }

  #finished(queued: Queued): FinishedEntry | undefined {
    try {
      return this.#finish(queued.pending, queued)
    } catch (error) {
      this.#lost.others += 1
      this.#options.log.error(
        { err: error, id: queued.id },
        'an entry of the audit could not be prepared',
      )
      return undefined
    }
  }

  /** The entries of a batch: redaction of long statements takes so long that a few of them are one. */
  #takeFinished(): readonly FinishedEntry[] {
    const begunMs = performance.now()
    const isLate = () => performance.now() - begunMs > this.#options.bounds.prepareMs
    const entries: FinishedEntry[] = []
    this.#isCutShort = false
    while (entries.length < this.#options.bounds.batchEntries && !this.#isCutShort) {
      const next = this.#queue.next()
      if (next === undefined) break
      const entry = this.#finished(next)
      if (entry !== undefined) entries.push(entry)
      // An empty batch would say that there are no more.
      this.#isCutShort = entries.length > 0 && isLate()
    }
    return entries
  }

  #giveUpQueued(queued: Queued): void {
    const entry = this.#finished(queued)
    if (entry !== undefined) this.giveUp(entry)
  }

  #push(queued: Queued): boolean {
    return this.#queue.push(queued, queued.pending.kind === 'query')
  }

  /** Checks again after a minute: there may be no later event that would do it. */
  #expectCounted(): void {
    this.#countedTimer ??= setTimeout(() => {
      this.#countedTimer = undefined
      this.#options.wake(false)
      if (this.#throttle.hasCounted()) this.#expectCounted()
    }, countedMs).unref()
  }

  #isCounted(event: AuditEvent): boolean {
    if (
      event.kind !== 'denial' ||
      !this.#options.settings().logDenied ||
      this.#throttle.admit(event)
    )
      return false
    this.#expectCounted()
    return true
  }

  #enter(event: AuditEvent): Promise<void> | undefined {
    if (!this.#options.settings().enabled || this.#isCounted(event)) return undefined
    const pending = pendingEntry(event, this.#options.settings())
    if (pending === undefined) return undefined
    const queued = this.#queuedOf(pending)
    if (this.#state === 'closed') {
      this.#giveUpQueued(queued)
      return undefined
    }
    // Entries that can wait are admitted in the order of their arrival.
    const isIn = (this.#overflow.count() === 0 || pending.kind === 'query') && this.#push(queued)
    this.#options.wake(this.#queue.length() >= this.#options.bounds.batchEntries)
    return isIn ? undefined : this.#overflow.enter(queued)
  }

  /** Entries of the audit about itself: refusals that were only counted, and lost entries. */
  #ownEntries(): readonly FinishedEntry[] {
    const repeated = this.#throttle.take(this.#state !== 'open')
    const notes = repeated.map((each) => repeatedEntry(each, this.#options.settings()))
    const queries = this.#queue.takeDropped()
    const { others } = this.#lost
    if (queries + others > 0) {
      this.#lost.reported += queries + others
      this.#lost.others = 0
      this.#options.log.warn({ queries, others }, 'entries of the audit were lost')
      notes.push(lossEntry(queries, others))
    }
    return notes.flatMap((pending) => this.#finished(this.#queuedOf(pending)) ?? [])
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
