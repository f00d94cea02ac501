/** @module Mails that wait in the service database: all nodes share them, and no crash loses one. */
import { randomUUID } from 'node:crypto'
import type { MailKind } from '@engine/core'
import type { SecretBox } from '@engine/core/server'
import type { Store } from '@engine/core/store'
import type { Kysely } from 'kysely'
import type { MailRequest } from './mailer.ts'
import type { MailTables } from './migrations.ts'

/** `nothing`: a decoy without a recipient, never sent. */
export type QueuedKind = MailKind | 'nothing'

export interface StoredMail {
  readonly id: string
  readonly kind: QueuedKind
  /** undefined when it cannot be read with this node's key. */
  readonly mail: MailRequest | undefined
  readonly createdAtMs: number
}

/** A mail that only this node may send, until its claim ends. */
export interface ClaimedMail extends StoredMail {
  /** Number of attempts, including this one. */
  readonly attempts: number
  readonly heldUntilMs: number
}

/** `expired`: a mail that was too late was removed. */
export type Claim =
  | { readonly kind: 'claimed'; readonly claimed: ClaimedMail }
  | { readonly kind: 'expired'; readonly id: string }

export interface MailQueue {
  /** @returns its id, or undefined when the queue is full. */
  add(kind: QueuedKind, mail: MailRequest): Promise<string | undefined>
  /** Claims the mail that has been due for longest, if there is one. */
  claim(): Promise<Claim | undefined>
  /** Removes a mail that was sent, or will never be sent. */
  remove(mail: ClaimedMail): Promise<void>
  /** Returns a mail to the queue, due at a time. */
  postpone(mail: ClaimedMail, nextAtMs: number): Promise<void>
  /** Makes every mail due, also claimed ones: only at the start of a process that does not share the database. */
  releaseAll(): Promise<void>
  /** Lists waiting mails, newest first; no decoys. */
  list(limit: number): Promise<readonly StoredMail[]>
  /** Removes expired mails. */
  removeExpired(): Promise<void>
  /** Removes all mails but the newest; decoys do not count. */
  trim(keep: number): Promise<void>
}

/** A mail is dropped after a day: its token has expired by then. */
const lifeMs = 24 * 3_600_000

/**
 * Duration of a node's claim on a mail, and the delay of the mail when the node dies. Longer than the maximum time of a
 * delivery plus the clock difference between nodes.
 */
const heldMs = 60_000

/** Approximate maximum number of waiting mails. */
export const maxWaiting = 10_000

/** Number of candidates for one claim, since other nodes take some of them at the same time. */
const candidates = 16

interface Row {
  readonly id: string
  readonly kind: string
  readonly sealed: string
  readonly created_at: number
}

interface DueRow extends Row {
  readonly next_at: number
  readonly attempts: number
}

/** @param box encrypts mails at rest: they contain tokens. */
export function createMailQueue(store: Store, box: SecretBox, clock: () => number): MailQueue {
  return new StoredMails(store.withTables<MailTables>(), box, clock)
}

/** A class: its statements on one table are many (decision 0088). */
class StoredMails implements MailQueue {
  readonly #database: Kysely<MailTables>
  readonly #box: SecretBox
  readonly #clock: () => number

  constructor(database: Kysely<MailTables>, box: SecretBox, clock: () => number) {
    this.#database = database
    this.#box = box
    this.#clock = clock
  }

  async add(kind: QueuedKind, mail: MailRequest): Promise<string | undefined> {
    if ((await this.#waiting()) >= maxWaiting) return undefined
    const now = this.#clock()
    const id = randomUUID()
    await this.#database
      .insertInto('engine_mails')
      .values({
        id,
        kind,
        sealed: this.#box.seal(JSON.stringify(mail)),
        created_at: now,
        expires_at: Math.min(now + lifeMs, mail.expiresAtMs ?? Number.POSITIVE_INFINITY),
        next_at: now,
        attempts: 0,
      })
      .execute()
    return id
  }

  async claim(): Promise<Claim | undefined> {
    const now = this.#clock()
    const due = await this.#database
      .selectFrom('engine_mails')
      .selectAll()
      .where('next_at', '<=', now)
      .orderBy('next_at')
      .limit(candidates)
      .execute()
    for (const row of due) {
      const claim = row.expires_at <= now ? await this.#expire(row) : await this.#hold(row, now)
      if (claim !== undefined) return claim
    }
    return undefined
  }

  async remove({ id, heldUntilMs }: ClaimedMail): Promise<void> {
    await this.#database
      .deleteFrom('engine_mails')
      .where('id', '=', id)
      .where('next_at', '=', heldUntilMs)
      .execute()
  }

  async postpone({ id, heldUntilMs }: ClaimedMail, nextAtMs: number): Promise<void> {
    await this.#database
      .updateTable('engine_mails')
      .set({ next_at: nextAtMs })
      .where('id', '=', id)
      .where('next_at', '=', heldUntilMs)
      .execute()
  }

  async releaseAll(): Promise<void> {
    const now = this.#clock()
    await this.#database
      .updateTable('engine_mails')
      .set({ next_at: now })
      .where('next_at', '>', now)
      .execute()
  }

  async list(limit: number): Promise<readonly StoredMail[]> {
    const rows = await this.#database
      .selectFrom('engine_mails')
      .selectAll()
      .where('kind', '!=', 'nothing')
      .where('expires_at', '>', this.#clock())
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .limit(limit)
      .execute()
    return rows.map((row) => this.#stored(row))
  }

  async removeExpired(): Promise<void> {
    await this.#database
      .deleteFrom('engine_mails')
      .where('expires_at', '<=', this.#clock())
      .execute()
  }

  async trim(keep: number): Promise<void> {
    const [oldest] = await this.#database
      .selectFrom('engine_mails')
      .select('created_at')
      .where('kind', '!=', 'nothing')
      .orderBy('created_at', 'desc')
      .offset(keep)
      .limit(1)
      .execute()
    if (oldest === undefined) return
    await this.#database
      .deleteFrom('engine_mails')
      .where('created_at', '<=', oldest.created_at)
      .execute()
  }

  /** The due time identifies the state that was read: of several nodes only one succeeds. */
  async #expire({ id, next_at }: DueRow): Promise<Claim | undefined> {
    const { numDeletedRows } = await this.#database
      .deleteFrom('engine_mails')
      .where('id', '=', id)
      .where('next_at', '=', next_at)
      .executeTakeFirst()
    return numDeletedRows === 1n ? { kind: 'expired', id } : undefined
  }

  /** As `#expire`. */
  async #hold(row: DueRow, now: number): Promise<Claim | undefined> {
    const heldUntilMs = now + heldMs
    const attempts = row.attempts + 1
    const { numUpdatedRows } = await this.#database
      .updateTable('engine_mails')
      .set({ next_at: heldUntilMs, attempts })
      .where('id', '=', row.id)
      .where('next_at', '=', row.next_at)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return undefined
    return { kind: 'claimed', claimed: { ...this.#stored(row), attempts, heldUntilMs } }
  }

  async #waiting(): Promise<number> {
    const count = this.#database.fn.countAll<number | string>().as('waiting')
    const row = await this.#database
      .selectFrom('engine_mails')
      .select(count)
      .executeTakeFirstOrThrow()
    return Number(row.waiting)
  }

  #stored({ id, kind, sealed, created_at }: Row): StoredMail {
    const opened = this.#box.open(sealed)
    return {
      id,
      kind: kind as QueuedKind,
      mail: opened === undefined ? undefined : (JSON.parse(opened) as MailRequest),
      createdAtMs: created_at,
    }
  }
}
