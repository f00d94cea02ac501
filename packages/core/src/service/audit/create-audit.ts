/** @module The audit: takes over events from requests and stores them in the service database. */
import { randomBytes } from 'node:crypto'
import type { AuditSettings } from '../../config/settings/operations-settings.ts'
import type { Audit } from '../../foundation/audit-event.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { Log } from '../../foundation/log.ts'
import { withinTime } from '../../foundation/within-time.ts'
import type { Store } from '../store/store.ts'
import { createAuditIntake } from './audit-intake.ts'
import { auditMigrations } from './audit-migrations.ts'
import { type AuditReader, createAuditReader } from './audit-reader.ts'
import { createAuditWriter } from './audit-writer.ts'
import { redactionFor } from './redaction/redaction-for.ts'
import { createRetention } from './retention.ts'
import { writeEntries } from './write-entries.ts'

/** What the audit log works with. */
export interface AuditOptions {
  readonly settings: AuditSettings
  readonly store: Store
  readonly log: Log
  /** Milliseconds since 1970. */
  readonly clock?: () => number
  /** Names this node in entries; random by default. */
  readonly nodeId?: string
  /**
   * Key material for the hashes of e-mail addresses: the same on every node and after every restart, or the events of one account
   * cannot be matched. Random by default.
   */
  readonly secret?: string | undefined
  readonly bounds?: Partial<AuditBounds>
}

/** How many entries may wait, and for how long. Milliseconds. */
export interface AuditBounds {
  /** Entries wait this long for others to be written with: a crash can lose these entries, and those being written. */
  readonly flushMs: number
  /** Entries in one write. */
  readonly batchEntries: number
  /** A write has fewer when it took longer than this to prepare them, which keeps the event loop busy. */
  readonly prepareMs: number
  /** Entries that may wait, and about how many characters they may have. */
  readonly queueEntries: number
  readonly queueSize: number
  /** An entry that must not be lost waits this long for room in the queue. */
  readonly waitMs: number
  /** `flush` and `close` wait this long for the database. */
  readonly closeMs: number
}

/** The audit with all functions for an operator. */
export interface AuditLog extends Audit, AuditReader {
  /** False: nothing is recorded; older entries stay until they are too old. */
  readonly isEnabled: boolean
  /** Names this node in entries. */
  readonly node: string
  readonly status: () => AuditStatus
  /** Replaces the settings for later events. */
  reconfigure(settings: AuditSettings): void
  /**
   * Call it before changes that must be recorded.
   *
   * @throws {GatewayError} `unavailable` (503) when the audit is on and cannot be written at present.
   */
  requireWritable(): void
}

export interface AuditStatus {
  readonly isEnabled: boolean
  /** The number of waiting entries. */
  readonly queued: number
  readonly written: number
  /** The number of lost entries: queries when there was no room, others when their waiting time was over. */
  readonly lost: number
  /** The last attempt to write failed. */
  readonly isFailing: boolean
}

const usualBounds: Omit<AuditBounds, 'batchEntries'> = {
  flushMs: 200,
  prepareMs: 2,
  queueEntries: 10_000,
  queueSize: 16_000_000,
  waitMs: 5_000,
  closeMs: 5_000,
}

/** A batch is a statement of its own, and costs SQLite a wait for the disk. */
const usualBatch: Readonly<Record<Store['kind'], number>> = {
  sqlite: 500,
  libsql: 500,
  postgres: 250,
  mysql: 250,
}

/**
 * Milliseconds that a search waits for entries which this node has not written yet: users often search for what they just did.
 */
const readMs = 500

/**
 * Opens the audit. Starts even while the database is unavailable.
 *
 * @throws {GatewayError} `invalidConfiguration` when the tables cannot be made.
 */
export async function createAudit(options: AuditOptions): Promise<AuditLog> {
  const { store, log, clock = Date.now } = options
  const secret = options.secret ?? randomBytes(32).toString('hex')
  let { settings } = options
  const { nodeId: node = randomBytes(6).toString('hex') } = options
  const batchEntries = usualBatch[store.kind]
  const bounds = { ...usualBounds, batchEntries, ...options.bounds }
  let redaction = redactionFor(settings, secret)
  await store.migrate(auditMigrations)

  const intake = createAuditIntake({
    settings: () => settings,
    redaction: () => redaction,
    log,
    clock,
    node,
    bounds,
    wake: (now) => writer.wake(now),
  })
  const writer = createAuditWriter({
    take: () => intake.take(),
    write: (entries) => writeEntries(store, entries),
    onRefused: (entry, error) => intake.giveUp(entry, error),
    queue: () => intake.fill(),
    log,
    flushMs: bounds.flushMs,
    retryMs: [Math.min(200, bounds.flushMs), 1_000],
  })
  const retention = createRetention({
    store,
    retentionMs: () => settings.retentionMs,
    clock,
    node,
    log,
  })
  let closing: Promise<void> | undefined
  store.whenReady().then(
    () => {
      if (closing === undefined) retention.start()
    },
    (error: unknown) => log.error({ err: error }, 'the audit has no tables'),
  )

  const flush = () => withinTime(writer.whenIdle(), bounds.closeMs)
  const close = async () => {
    intake.beginClose()
    await flush()
    await retention.close()
    for (const entry of await writer.stop(bounds.closeMs)) intake.giveUp(entry)
    intake.close()
  }

  const reader = createAuditReader(store, () => redaction)
  const whenWritten = async () => {
    if (!writer.isFailing()) await withinTime(writer.whenIdle(), readMs)
  }

  return {
    ...reader,
    search: async (filter) => {
      await whenWritten()
      return reader.search(filter)
    },
    find: async (id) => {
      await whenWritten()
      return reader.find(id)
    },
    get isEnabled() {
      return settings.enabled
    },
    node,
    reconfigure: (next) => {
      settings = next
      redaction = redactionFor(next, secret)
    },
    record: (event) => intake.record(event),
    flush,
    close: () => {
      closing ??= close()
      return closing
    },
    requireWritable: () => {
      const mustBeSeen = settings.enabled && settings.logAdminActions
      if (!mustBeSeen || !(writer.isFailing() || intake.waiting() > 0)) return
      throw new GatewayError('unavailable', 'The audit cannot be written at present.')
    },
    status: () => ({
      isEnabled: settings.enabled,
      queued: intake.queued(),
      written: writer.written(),
      lost: intake.lost(),
      isFailing: writer.isFailing(),
    }),
  }
}
