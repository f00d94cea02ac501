/** @module The channels that a session listens to, and the notifications that wait for its client. */
import type { ChannelAddress } from '@engine/core/server'
import { wireError } from '../../errors/wire-error.ts'
import type { RunningStatement } from '../results/running-statement.ts'
import {
  createTransactionalState,
  type TransactionalState,
} from '../settings/transactional-state.ts'
import type { WireSessionOptions } from './wire-session.ts'

export interface Listens {
  /**
   * Listens from the end of the transaction on, at once where none is open.
   *
   * @throws {GatewayError} 42501, 0A000; 53400 for too many channels.
   */
  listen(name: string, sql: string): Promise<void>
  /** All, where no name is given. */
  unlisten(name: string | undefined): void
  /** Called together with the same functions of the settings. */
  readonly transaction: Pick<
    TransactionalState<unknown>,
    'begin' | 'commit' | 'rollBack' | 'savepoint' | 'rollBackTo' | 'release'
  > & {
    /** The database is about to commit: notifications of the transaction may arrive before its answer. */
    commits(): void
  }
  readonly hasNews: () => boolean
  /** Writes what waits. Only between two transactions. */
  deliver(): void
  end(): void
}

export interface ListensOptions
  extends Pick<WireSessionOptions, 'client' | 'writer' | 'notifications'> {
  readonly running: RunningStatement
  /** A transaction is open. */
  readonly isOpen: () => boolean
  warn(sqlState: string, message: string): void
}

/** Channels of one session, notifications that wait for it, and their bytes, at most. */
const most = { channels: 100, waiting: 10_000, bytes: 4_194_304 } as const

/** The process id of another server's session is not reported. */
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
}

/** Keys of channels. */
type Keys = ReadonlySet<string>

export function createListens(options: ListensOptions): Listens {
  const { client, writer, notifications, running, isOpen, warn } = options
  const { channels } = client
  /** Includes those that the open transaction has added, and those that it has removed. */
  const all = new Map<string, Listen>()
  const wanted = createTransactionalState<Keys>(new Set())
  /** Those of the last transaction that committed. */
  let committed: Keys = new Set()
  let waiting: Notification[] = []
  let bytes = 0
  let isEnded = false
  /** While the database commits: what arrives for channels of this transaction. */
  let early: Notification[] | undefined

  const clear = () => {
    waiting = []
    bytes = 0
  }

  /** After a transaction, or a statement outside of one. */
  const settle = () => {
    committed = wanted.get()
    for (const [key, { stop }] of all) {
      if (committed.has(key)) continue
      all.delete(key)
      stop()
    }
  }

  const want = (keys: Keys) => {
    wanted.set(keys)
    if (!isOpen()) settle()
  }

  const without = (key: string): Keys => new Set([...wanted.get()].filter((each) => each !== key))

  const arrive = (key: string, payload: string) => {
    if (isEnded) return
    if (!committed.has(key)) {
      if (wanted.get().has(key) && early !== undefined && early.length < most.waiting) {
        early.push({ key, payload })
      }
      return
    }
    waiting.push({ key, payload })
    bytes += payload.length
    if (waiting.length === 1) return notifications.arrived()
    if (waiting.length <= most.waiting && bytes <= most.bytes) return
    isEnded = true
    clear()
    notifications.overflowed()
  }

  return {
    listen: async (name, sql) => {
      const address = channels.find(name)
      const key = address && keyOf(address)
      const isNew = key === undefined || !all.has(key)
      if (isNew && all.size >= most.channels) {
        throw wireError('53400', `a session listens to ${most.channels} channels at most`)
      }
      if (isNew || address === undefined || !channels.mayListen(address)) {
        const request = {
          name,
          sql,
          signal: running.signal(),
          correlationId: running.correlationId(),
        }
        const stop = await channels.listen(request, {
          onNotification: (payload) => arrive(key ?? '', payload),
          onEnd: () => {
            if (!isEnded) notifications.ended()
          },
        })
        if (isEnded || key === undefined || address === undefined) return stop()
        all.set(key, { name, address, stop })
      }
      want(new Set([...wanted.get(), key]))
    },
    unlisten: (name) => {
      const address = name === undefined ? undefined : channels.find(name)
      if (name === undefined) want(new Set())
      else if (address !== undefined) want(without(keyOf(address)))
    },
    transaction: {
      begin: wanted.begin,
      commits: () => {
        early = []
      },
      commit: () => {
        const arrived = early ?? []
        early = undefined
        wanted.commit()
        settle()
        for (const { key, payload } of arrived) arrive(key, payload)
      },
      rollBack: () => {
        early = undefined
        wanted.rollBack()
        settle()
      },
      savepoint: wanted.savepoint,
      rollBackTo: wanted.rollBackTo,
      release: wanted.release,
    },
    hasNews: () => waiting.length > 0,
    deliver: () => {
      const news = waiting
      clear()
      for (const { key, payload } of news) {
        const listen = all.get(key)
        if (listen === undefined || !committed.has(key)) continue
        const { name, address } = listen
        if (channels.mayListen(address)) {
          writer.notification(noProcess, name, payload)
        } else {
          want(without(key))
          warn('01000', `LISTEN "${name}" has ended: the rights of the session have changed`)
        }
      }
    },
    end: () => {
      isEnded = true
      clear()
      for (const { stop } of all.values()) stop()
      all.clear()
    },
  }
}

function keyOf({ database, channel }: ChannelAddress): string {
  return `${database}.${channel}`
}
