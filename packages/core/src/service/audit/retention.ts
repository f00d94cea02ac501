/** @module Deletes entries that are too old, a few at a time, on one node at a time. */
import { sql } from 'kysely'
import type { Log } from '../../foundation/log.ts'
import { firstIdAt } from '../../foundation/time-ids.ts'
import { withinTime } from '../../foundation/within-time.ts'
import type { Store } from '../store/store.ts'
import type { AuditTables } from './audit-tables.ts'

export interface RetentionOptions {
  readonly store: Store
  /** Entries are kept for this number of milliseconds. */
  readonly retentionMs: () => number
  readonly clock: () => number
  /** The id of this node among those that share the database. */
  readonly node: string
  readonly log: Log
}

export interface Retention {
  /** Deletes entries that are now too old, unless another node is doing so. @returns the number of deleted entries. */
  run(): Promise<number>
  /** Runs periodically until `close`. */
  start(): void
  close(): Promise<void>
}

/** Few enough that no writer waits for long; with pauses between, in milliseconds. */
const step = { entries: 1_000, batches: 10, pauseMs: 50 }

/** A node without a sign of life for this number of milliseconds is no longer waited for. */
const leaseMs = 60_000

/** Shutdown waits at most this number of milliseconds for a run to end and a lease to be released. */
const closeMs = 1_000

/** Milliseconds between two runs: a twentieth of the retention, within these bounds. */
const every = { least: 1_000, most: 600_000 }

export function createRetention(options: RetentionOptions): Retention {
  const { store, retentionMs, clock, node, log } = options
  const tables = store.withTables<AuditTables>()
  const intervalMs = () => Math.min(Math.max(retentionMs() / 20, every.least), every.most)
  let timer: NodeJS.Timeout | undefined
  let running: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let isHolder = false

  const run = async (): Promise<number> => {
    let deleted = 0
    while (!isClosed) {
      isHolder = await holdsLease(store, node, clock())
      if (!isHolder) return deleted
      const cutoff = firstIdAt((await earlierTime(store, clock)) - retentionMs())
      const count = (await deleteSome(cutoff)) + (await deleteSomeBatches(cutoff))
      deleted += count
      if (count === 0) return deleted
      await new Promise((resolve) => setTimeout(resolve, step.pauseMs))
    }
    return deleted
  }

  const deleteSome = async (cutoff: string): Promise<number> => {
    const old = await tables
      .selectFrom('engine_audit')
      .select('id')
      .where('id', '<', cutoff)
      .orderBy('id')
      .limit(step.entries)
      .execute()
    const last = old.at(-1)
    if (last === undefined) return 0
    await tables.deleteFrom('engine_audit').where('id', '<=', last.id).execute()
    return old.length
  }

  /** A batch is deleted when its last entry is too old. */
  const deleteSomeBatches = async (cutoff: string): Promise<number> => {
    const old = await tables
      .selectFrom('engine_audit_batch')
      .select(['id', 'entry_count'])
      .where('id', '<', cutoff)
      .orderBy('id')
      .limit(step.batches)
      .execute()
    const last = old.at(-1)
    if (last === undefined) return 0
    await tables.deleteFrom('engine_audit_batch').where('id', '<=', last.id).execute()
    return old.reduce((sum, batch) => sum + batch.entry_count, 0)
  }

  /** The next node need not wait until the lease has run out. */
  const release = async () => {
    if (!isHolder) return
    try {
      await tables.deleteFrom('engine_audit_lease').where('holder', '=', node).execute()
    } catch (err) {
      log.debug({ err }, 'the lease of the audit could not be given back')
    }
  }

  const repeat = () => {
    running = run()
      .then((deleted) => {
        if (deleted > 0) log.debug({ deleted }, 'old entries of the audit were deleted')
      })
      .catch((error: unknown) => {
        log.warn({ err: error }, 'old entries of the audit could not be deleted')
      })
      .then(() => {
        if (!isClosed) timer = setTimeout(repeat, intervalMs()).unref()
      })
  }

  return {
    run,
    start: repeat,
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await withinTime(running.then(release), closeMs)
    },
  }
}

/** Takes or prolongs the lease. If two nodes hold it at the same time, they do the same work twice. */
async function holdsLease(store: Store, node: string, nowMs: number): Promise<boolean> {
  const tables = store.withTables<AuditTables>()
  const lease = { name: 'retention', holder: node, until: nowMs + leaseMs }
  const { numUpdatedRows } = await tables
    .updateTable('engine_audit_lease')
    .set(lease)
    .where('name', '=', lease.name)
    .where((eb) => eb.or([eb('holder', '=', node), eb('until', '<', nowMs)]))
    .executeTakeFirstOrThrow()
  if (numUpdatedRows > 0n) return true
  const held = await tables
    .selectFrom('engine_audit_lease')
    .select('holder')
    .where('name', '=', lease.name)
    .executeTakeFirst()
  if (held !== undefined) return false
  const insertion = tables.insertInto('engine_audit_lease').values(lease)
  const inserted = await (store.kind === 'mysql'
    ? insertion.ignore()
    : insertion.onConflict((conflict) => conflict.doNothing())
  ).executeTakeFirstOrThrow()
  return (inserted.numInsertedOrUpdatedRows ?? 0n) > 0n
}

/** A clock that is ahead must not delete recent entries: the earlier of this machine's time and the database's is used. */
async function earlierTime(store: Store, clock: () => number): Promise<number> {
  const nowMs = clock()
  const expression = databaseTime(store)
  if (expression === undefined) return nowMs
  const { rows } = await sql<{ now: number | string }>`select ${expression} as now`.execute(
    store.database,
  )
  const [row] = rows
  return row === undefined ? nowMs : Math.min(nowMs, Number(row.now))
}

/** Milliseconds since 1970; undefined for a file, where this machine's clock is used. */
function databaseTime({ kind }: Store): ReturnType<typeof sql> | undefined {
  switch (kind) {
    case 'postgres':
      return sql`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`
    case 'mysql':
      return sql`cast(unix_timestamp(current_timestamp(3)) * 1000 as signed)`
    case 'libsql':
      return sql`cast((julianday('now') - 2440587.5) * 86400000 as integer)`
    case 'sqlite':
      return undefined
  }
}
