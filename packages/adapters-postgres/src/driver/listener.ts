/** @module Listens to channels: one connection for all of them, outside of the pool, open while any is wanted. */
import { Socket } from 'node:net'
import {
  type AdapterChannels,
  GatewayError,
  type Log,
  type OnNotification,
  unreachableDatabase,
} from '@engine/core/adapter'
import { Client } from 'pg'

export interface Listener extends AdapterChannels {
  close(): Promise<void>
}

/** Milliseconds between attempts to connect again: doubled each time up to the last. */
const pauseMs = { first: 250, last: 10_000 } as const

/** Time limit of connecting and of commands, in milliseconds. */
const timeoutMs = 10_000

/** A connection, and the channels that it listens to. */
interface Upstream {
  readonly client: Client
  readonly channels: Set<string>
}

type Receiver = OnNotification

/** Connects with the first channel, and disconnects with the last. A lost connection is replaced. */
export function createListener(url: string, log: Log): Listener {
  return new SharedListener(url, log)
}

class SharedListener implements Listener {
  readonly #url: string
  readonly #log: Log
  readonly #receivers = new Map<string, Set<Receiver>>()
  #upstream: Upstream | undefined
  #last: Promise<void> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(url: string, log: Log) {
    this.#url = url
    this.#log = log
  }

  async listen(channel: string, onNotification: OnNotification): Promise<() => void> {
    // One function may be given several times.
    const receive: Receiver = (payload, sender) => onNotification(payload, sender)
    const all = this.#receivers.get(channel) ?? new Set()
    this.#receivers.set(channel, all.add(receive))
    try {
      await this.#inTurn()
    } catch (error) {
      this.#remove(channel, receive)
      throw unreachableDatabase(error)
    }
    return () => this.#remove(channel, receive)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#inTurn().catch(() => undefined)
  }

  #pass(channel: string, payload: string, sender: number): void {
    for (const receive of [...(this.#receivers.get(channel) ?? [])]) receive(payload, sender)
  }

  #lose(lost: Upstream): void {
    if (this.#upstream !== lost) return
    this.#upstream = undefined
    if (this.#isClosed || this.#receivers.size === 0) return
    this.#log.warn({}, 'the connection that listens was lost: notifications may have been missed')
    this.#retry(pauseMs.first)
  }

  #retry(waitMs: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#inTurn().catch((err: unknown) => {
        this.#log.warn({ err }, 'a database cannot be listened to')
        this.#retry(Math.min(waitMs * 2, pauseMs.last))
      })
    }, waitMs).unref()
  }

  async #connect(): Promise<Upstream> {
    const client = new Client({
      connectionString: this.#url,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      fallback_application_name: 'engine',
    })
    const made: Upstream = { client, channels: new Set() }
    client.on('error', () => this.#lose(made))
    client.on('end', () => this.#lose(made))
    client.on('notification', ({ channel, payload = '', processId }) =>
      this.#pass(channel, payload, processId),
    )
    await client.connect()
    // A process may end while it listens.
    const { stream } = client.connection
    if (stream instanceof Socket) stream.unref()
    return made
  }

  /** Makes the connection listen to exactly the channels that are wanted. */
  async #agree(): Promise<void> {
    if (this.#receivers.size === 0 || this.#isClosed) {
      const unused = this.#upstream
      this.#upstream = undefined
      await unused?.client.end()
      return
    }
    this.#upstream ??= await this.#connect()
    const { client, channels } = this.#upstream
    try {
      for (const channel of [...this.#receivers.keys()].filter((name) => !channels.has(name))) {
        await client.query(`listen ${quoted(channel)}`)
        channels.add(channel)
      }
      for (const channel of [...channels].filter((name) => !this.#receivers.has(name))) {
        await client.query(`unlisten ${quoted(channel)}`)
        channels.delete(channel)
      }
    } catch (error) {
      // Whether it listens is not known.
      const broken = this.#upstream
      void client.end().catch(() => undefined)
      if (broken !== undefined) this.#lose(broken)
      throw error
    }
  }

  #inTurn(): Promise<void> {
    const turn = this.#last.then(() => this.#agree())
    this.#last = turn.catch(() => undefined)
    return turn
  }

  #remove(channel: string, receive: Receiver): void {
    const all = this.#receivers.get(channel)
    if (all?.delete(receive) !== true || all.size > 0) return
    this.#receivers.delete(channel)
    this.#inTurn().catch((err: unknown) => this.#log.debug({ err }, 'a channel could not be left'))
  }
}

/** A channel's name as an identifier. */
function quoted(channel: string): string {
  if (channel === '' || channel.includes('\0') || Buffer.byteLength(channel) > 63) {
    throw new GatewayError('internal', 'a channel has a name that PostgreSQL does not take')
  }
  return `"${channel.replaceAll('"', '""')}"`
}
