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
  const receivers = new Map<string, Set<Receiver>>()
  let upstream: Upstream | undefined
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const pass = (channel: string, payload: string, sender: number) => {
    for (const receive of [...(receivers.get(channel) ?? [])]) receive(payload, sender)
  }

  const lose = (lost: Upstream) => {
    if (upstream !== lost) return
    upstream = undefined
    if (isClosed || receivers.size === 0) return
    log.warn({}, 'the connection that listens was lost: notifications may have been missed')
    retry(pauseMs.first)
  }

  const retry = (waitMs: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      inTurn().catch((err: unknown) => {
        log.warn({ err }, 'a database cannot be listened to')
        retry(Math.min(waitMs * 2, pauseMs.last))
      })
    }, waitMs).unref()
  }

  const connect = async (): Promise<Upstream> => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: timeoutMs,
      query_timeout: timeoutMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: 30_000,
      fallback_application_name: 'engine',
    })
    const made: Upstream = { client, channels: new Set() }
    client.on('error', () => lose(made))
    client.on('end', () => lose(made))
    client.on('notification', ({ channel, payload = '', processId }) =>
      pass(channel, payload, processId),
    )
    await client.connect()
    // A process may end while it listens.
    const { stream } = client.connection
    if (stream instanceof Socket) stream.unref()
    return made
  }

  /** Makes the connection listen to exactly the channels that are wanted. */
  const agree = async (): Promise<void> => {
    if (receivers.size === 0 || isClosed) {
      const unused = upstream
      upstream = undefined
      await unused?.client.end()
      return
    }
    upstream ??= await connect()
    const { client, channels } = upstream
    try {
      for (const channel of [...receivers.keys()].filter((name) => !channels.has(name))) {
        await client.query(`listen ${quoted(channel)}`)
        channels.add(channel)
      }
      for (const channel of [...channels].filter((name) => !receivers.has(name))) {
        await client.query(`unlisten ${quoted(channel)}`)
        channels.delete(channel)
      }
    } catch (error) {
      // Whether it listens is not known.
      const broken = upstream
      void client.end().catch(() => undefined)
      if (broken !== undefined) lose(broken)
      throw error
    }
  }

  const inTurn = (): Promise<void> => {
    const turn = last.then(agree)
    last = turn.catch(() => undefined)
    return turn
  }

  const remove = (channel: string, receive: Receiver) => {
    const all = receivers.get(channel)
    if (all?.delete(receive) !== true || all.size > 0) return
    receivers.delete(channel)
    inTurn().catch((err: unknown) => log.debug({ err }, 'a channel could not be left'))
  }

  return {
    listen: async (channel, onNotification) => {
      // One function may be given several times.
      const receive: Receiver = (payload, sender) => onNotification(payload, sender)
      const all = receivers.get(channel) ?? new Set()
      receivers.set(channel, all.add(receive))
      try {
        await inTurn()
      } catch (error) {
        remove(channel, receive)
        throw unreachableDatabase(error)
      }
      return () => remove(channel, receive)
    },
    close: async () => {
      isClosed = true
      clearTimeout(timer)
      await inTurn().catch(() => undefined)
    },
  }
}

/** A channel's name as an identifier. */
function quoted(channel: string): string {
  if (channel === '' || channel.includes('\0') || Buffer.byteLength(channel) > 63) {
    throw new GatewayError('internal', 'a channel has a name that PostgreSQL does not take')
  }
  return `"${channel.replaceAll('"', '""')}"`
}
