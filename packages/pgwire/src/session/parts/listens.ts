/** @module The channels that a session listens to, and the notifications that wait for its client. */
import type { ChannelAddress } from '@engine/core/session'
import { wireError } from '../../errors/wire-error.ts'
import type { RunningStatement } from '../results/running-statement.ts'
import { createTransactionalState } from '../settings/transactional-state.ts'
import { createOwnNotifications, type SentNotification } from './own-notifications.ts'
import type { TransactionFollower } from './transaction-block.ts'
import type { WireSessionOptions } from './wire-session.ts'

export interface Listens extends TransactionFollower {
  /**
   * Listens from the end of the transaction on, at once where none is open.
   *
   * @throws {GatewayError} 42501, 0A000; 53400 for too many channels.
   */
  listen(name: string, sql: string): Promise<void>
  /** All, where no name is given. */
  unlisten(name: string | undefined): void
  /**
   * NOTIFY has run: in the open transaction, or in one of its own that has committed.
   *
   * @param name of the channel, as the client wrote it
   * @returns resolves when the notification has arrived, where that is to be awaited now
   */
  sent(name: string, payload: string, sender: number): Promise<void> | undefined
  hasNews(): boolean
  /** Writes what waits. Only between two transactions. */
  deliver(): void
  end(): void
}

export interface ListensOptions
  extends Pick<WireSessionOptions, 'client' | 'writer' | 'notifications' | 'identity'> {
  readonly running: RunningStatement
  /** A transaction is open. */
  readonly isOpen: () => boolean
  warn(sqlState: string, message: string): void
}

/** Channels of one session, notifications that wait for it, and their bytes, at most. */
const most = { channels: 100, waiting: 10_000, bytes: 4_194_304 } as const

/** Notifications of a transaction that its COMMIT waits for, at most: those after them arrive when they do. */
const mostAwaited = 1_000

/** The process id of another session is not reported. */
const noProcess = 0

interface Listen {
  /** As the client named the channel. */
  readonly name: string
  readonly address: ChannelAddress
  readonly stop: () => void
}

interface Notification {
  readonly key: string
  readonly payload: string
  /** The session has sent it itself. */
  readonly isOwn: boolean
  readonly sender: number
}

/** Keys of channels. */
type Keys = ReadonlySet<string>

const noKeys: Keys = new Set()
const noneSent: readonly SentNotification[] = []
const noListens: ReadonlyMap<string, Listen> = new Map()
const nothing: never[] = []

export function createListens(options: ListensOptions): Listens {
  return new SessionListens(options)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class SessionListens implements Listens {
  readonly #options: ListensOptions
  /** Includes those that the open transaction has added, and those that it has removed. */
  #all = noListens
  readonly #wanted = createTransactionalState(noKeys)
  /** Those of the last transaction that committed. */
  #committed = noKeys
  /** Replaced by an array of its own with the first one. */
  #waiting: Notification[] = nothing
  #bytes = 0
  #isEnded = false
  /** While the database commits: what arrives for channels of this transaction. */
  #early: SentNotification[] | undefined
  /** Those of the open transaction. */
  readonly #sent = createTransactionalState(noneSent)
  readonly #own = createOwnNotifications()

  constructor(options: ListensOptions) {
    this.#options = options
  }

  async listen(name: string, sql: string): Promise<void> {
    const { channels } = this.#options.client
    const address = channels.find(name)
    const key = address && keyOf(address)
    const isNew = key === undefined || !this.#all.has(key)
    if (isNew && this.#all.size >= most.channels) {
      throw wireError('53400', `a session listens to ${most.channels} channels at most`)
    }
    if (isNew || address === undefined || !channels.mayListen(address)) {
      const stop = await this.#start(key ?? '', name, sql)
      if (this.#isEnded || key === undefined || address === undefined) return stop()
      this.#all = new Map(this.#all).set(key, { name, address, stop })
    }
    this.#want(new Set([...this.#wanted.get(), key]))
  }

  unlisten(name: string | undefined): void {
    if (name === undefined) {
      this.#want(noKeys)
      return
    }
    const address = this.#options.client.channels.find(name)
    if (address !== undefined) this.#want(this.#without(keyOf(address)))
  }

  sent(name: string, payload: string, sender: number): Promise<void> | undefined {
    const address = this.#options.client.channels.find(name)
    if (address === undefined) return undefined
    const sent = { key: keyOf(address), payload, sender }
    if (this.#options.isOpen()) {
      const all = this.#sent.get()
      if (all.length < mostAwaited) this.#sent.set([...all, sent])
      return undefined
    }
    this.#expect([sent])
    return this.#own.arrived()
  }

  /** Notifications of the transaction may arrive before the answer to its COMMIT. */
  commits(): void {
    this.#early = []
  }

  begin(): void {
    this.#wanted.begin()
    this.#sent.begin()
  }

  commit(): Promise<void> | undefined {
    const arrived = this.#early ?? nothing
    const sent = this.#sent.get()
    this.#early = undefined
    this.#wanted.commit()
    this.#sent.commit()
    this.#sent.set(noneSent)
    this.#settle()
    this.#expect(sent)
    for (const each of arrived) this.#arrive(each)
    return this.#own.arrived()
  }

  rollBack(): void {
    this.#early = undefined
    this.#wanted.rollBack()
    this.#sent.rollBack()
    this.#sent.set(noneSent)
    this.#settle()
  }

  savepoint(name: string): void {
    this.#wanted.savepoint(name)
    this.#sent.savepoint(name)
  }

  rollBackTo(name: string): void {
    this.#wanted.rollBackTo(name)
    this.#sent.rollBackTo(name)
  }

  release(name: string): void {
    this.#wanted.release(name)
    this.#sent.release(name)
  }

  hasNews(): boolean {
    return this.#waiting.length > 0
  }

  deliver(): void {
    const news = this.#waiting
    if (news.length === 0) return
    const { client, writer, warn, identity } = this.#options
    this.#clear()
    for (const { key, payload, isOwn } of news) {
      const listen = this.#all.get(key)
      if (listen === undefined || !this.#committed.has(key)) continue
      const { name, address } = listen
      if (client.channels.mayListen(address)) {
        writer.notification(isOwn ? identity.processId : noProcess, name, payload)
      } else {
        this.#want(this.#without(key))
        warn('01000', `LISTEN "${name}" has ended: the rights of the session have changed`)
      }
    }
  }

  end(): void {
    this.#isEnded = true
    this.#clear()
    this.#own.end()
    for (const { stop } of this.#all.values()) stop()
    this.#all = noListens
  }

  /** @returns a function that ends it. */
  #start(key: string, name: string, sql: string): Promise<() => void> {
    const { client, running, notifications } = this.#options
    const signal = running.signal()
    const request = { name, sql, signal, correlationId: running.correlationId() }
    return client.channels.listen(request, {
      onNotification: (payload, sender) => this.#arrive({ key, payload, sender }),
      onEnd: () => {
        if (!this.#isEnded) notifications.ended()
      },
    })
  }

  #clear(): void {
    this.#waiting = nothing
    this.#bytes = 0
  }

  /** After a transaction, or a statement outside of one. */
  #settle(): void {
    this.#committed = this.#wanted.get()
    if (this.#all.size === 0) return
    const kept = new Map<string, Listen>()
    for (const [key, listen] of this.#all) {
      if (this.#committed.has(key)) kept.set(key, listen)
      else listen.stop()
    }
    this.#all = kept
  }

  #want(keys: Keys): void {
    this.#wanted.set(keys)
    if (!this.#options.isOpen()) this.#settle()
  }

  #without(key: string): Keys {
    return new Set([...this.#wanted.get()].filter((each) => each !== key))
  }

  /** Those to channels to which the session listens; some may have arrived already. PostgreSQL sends equal ones of a transaction once. */
  #expect(sent: readonly SentNotification[]): void {
    const unequal = new Map(
      sent.map((each) => [`${each.payload.length}.${each.payload}.${each.key}`, each]),
    )
    const expected: SentNotification[] = []
    for (const each of unequal.values()) {
      if (!this.#committed.has(each.key)) continue
      const index = this.#waiting.findIndex(
        ({ key, payload, sender, isOwn }) =>
          !isOwn && key === each.key && payload === each.payload && sender === each.sender,
      )
      if (index === -1) expected.push(each)
      else this.#waiting[index] = { ...each, isOwn: true }
    }
    if (expected.length > 0) this.#own.expect(expected)
  }

  #arrive(arrived: SentNotification): void {
    if (this.#isEnded) return
    const { key } = arrived
    if (!this.#committed.has(key)) {
      const early = this.#early
      if (this.#wanted.get().has(key) && early !== undefined && early.length < most.waiting) {
        early.push(arrived)
      }
      return
    }
    this.#keep({ ...arrived, isOwn: this.#own.take(arrived) })
  }

  #keep(notification: Notification): void {
    const { notifications } = this.#options
    if (this.#waiting.length === 0) this.#waiting = []
    this.#waiting.push(notification)
    this.#bytes += notification.payload.length
    if (this.#waiting.length === 1) {
      notifications.arrived()
    } else if (this.#waiting.length > most.waiting || this.#bytes > most.bytes) {
      this.#isEnded = true
      this.#clear()
      this.#own.end()
      notifications.overflowed()
    }
  }
}

function keyOf({ database, channel }: ChannelAddress): string {
  return `${database}.${channel}`
}
