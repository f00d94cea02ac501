/** @module LISTEN and NOTIFY of a session: which channel a name means, and whether the caller may use it. */

import { applies } from '../../compiler/permissions/combination/roles.ts'
import { isChannelName } from '../../config/parse/parse-channels.ts'
import type { ConnectionSettings } from '../../config/settings/settings.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { AdapterChannels } from '../adapter/adapter.ts'
import type { DataSource } from '../databases/data-source.ts'
import type { GuardedAdapter, GuardedSession } from '../guard/guarded-adapter.ts'
import { concurrencyKey, withSlot } from '../limits/with-slot.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import { auditedText } from './audited-work.ts'
import type {
  ChannelAddress,
  ChannelListener,
  ChannelRequest,
  SessionChannels,
} from './client-session.ts'
import { environmentOf, hasFullRights, type SessionState, visibleTo } from './session-state.ts'
import type { TransactionPlace } from './session-transaction.ts'

/** Bytes of a payload, at most: PostgreSQL's limit. */
const mostPayload = 7_999

type ChannelUse = 'listen' | 'notify'

interface GrantedChannel {
  readonly address: ChannelAddress
  readonly channels: AdapterChannels
  readonly source: DataSource
}

export function createSessionChannels(state: SessionState): SessionChannels {
  return new ChannelsOfSession(state)
}

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class ChannelsOfSession implements SessionChannels {
  readonly #state: SessionState

  constructor(state: SessionState) {
    this.#state = state
  }

  find(name: string): ChannelAddress | undefined {
    return addressNamed(environmentOf(this.#state), name)
  }

  mayListen(address: ChannelAddress): boolean {
    return this.#isGranted(environmentOf(this.#state), address, 'listen')
  }

  async listen(
    request: ChannelRequest,
    { onNotification, onEnd }: ChannelListener,
  ): Promise<() => void> {
    let stop: () => void = () => undefined
    try {
      await this.#audited(request, async (touched, environment) => {
        const granted = this.#requireGranted(environment, request.name, 'listen')
        const { address, channels, source } = granted
        touched.add(address.connection)
        const leave = await channels.listen(address.channel, onNotification)
        source.closing.addEventListener('abort', onEnd, { once: true })
        stop = () => {
          source.closing.removeEventListener('abort', onEnd)
          leave()
        }
      })
    } catch (error) {
      stop()
      throw error
    }
    return stop
  }

  async notify(request: ChannelRequest, payload: string): Promise<number> {
    let sender = 0
    await this.#audited(request, async (touched, environment) => {
      const { address, source } = this.#requireGranted(environment, request.name, 'notify')
      touched.add(address.connection)
      if (Buffer.byteLength(payload) > mostPayload) {
        throw new GatewayError('badRequest', 'payload string too long', { sqlState: '22023' })
      }
      const place = placeOf(address, source.guarded)
      await this.#within(environment, place, request.signal, async (session) => {
        if (session.notify === undefined) throw noChannels(address.connection, 'notify')
        sender = await session.notify(address.channel, payload)
      })
    })
    return sender
  }

  #requireGranted(environment: QueryEnvironment, name: string, use: ChannelUse): GrantedChannel {
    const address = addressNamed(environment, name)
    if (address === undefined) throw nameless(name)
    const source = environment.sources.get(address.database)
    const channels = source?.adapter.channels
    if (channels === undefined && this.#isKnownTo(environment, address)) {
      throw noChannels(address.connection, use)
    }
    if (
      source === undefined ||
      channels === undefined ||
      !this.#isGranted(environment, address, use)
    ) {
      throw denied(name)
    }
    if (!isChannelName(address.channel)) {
      throw new GatewayError('badRequest', 'channel name too long', { sqlState: '22023' })
    }
    return { address, channels, source }
  }

  #isGranted(
    environment: QueryEnvironment,
    { connection, channel }: ChannelAddress,
    use: ChannelUse,
  ): boolean {
    if (hasFullRights(this.#state, environment)) return true
    const { roles, kind } = this.#state.caller
    return environment.settings.channels.some(
      (each) =>
        each[use] &&
        each.connection === connection &&
        each.channel === channel &&
        applies(each.roles, roles, kind === 'user'),
    )
  }

  /** Only then may the caller learn which kind of database the connection has. */
  #isKnownTo(environment: QueryEnvironment, { connection }: ChannelAddress): boolean {
    return (
      connection === environment.settings.defaultConnection ||
      hasFullRights(this.#state, environment) ||
      visibleTo(this.#state).connections.some(
        ({ name, tables }) => name === connection && tables.length > 0,
      )
    )
  }

  /** Runs one of the two statements, with an entry in the audit. */
  async #audited(
    request: ChannelRequest,
    work: (touched: Set<string>, environment: QueryEnvironment) => Promise<void>,
  ): Promise<void> {
    const environment = environmentOf(this.#state)
    await auditedText(
      this.#state,
      environment,
      request,
      async (_request, _caller, touched = new Set<string>()) => {
        environment.uses.begin()
        try {
          await work(touched, environment)
          return { rowCount: 0 }
        } finally {
          environment.uses.end()
        }
      },
    )
  }

  /** Runs work in the open transaction, otherwise in its own. */
  #within(
    { concurrency, settings }: QueryEnvironment,
    place: TransactionPlace,
    signal: AbortSignal | undefined,
    work: (session: GuardedSession) => Promise<void>,
  ): Promise<void> {
    const { caller, origin, open } = this.#state
    if (open !== undefined) return open.transaction.use(place, work, signal)
    const { queryTimeoutMs: timeoutMs } = settings.limits
    const slot = { connection: place.plan.connection, caller: concurrencyKey(caller, origin.ip) }
    return withSlot(concurrency, slot, { timeoutMs, signal }, (limits) => {
      const modes = { ...limits, readOnly: false, isolation: 'read committed' } as const
      return place.adapter.transaction(modes, work)
    })
  }
}

function addressNamed({ settings }: QueryEnvironment, name: string): ChannelAddress | undefined {
  const { defaultConnection } = settings
  const dot = name.indexOf('.')
  const named = dot > 0 ? databaseNamed(settings.connections, name.slice(0, dot)) : undefined
  if (named !== undefined && dot + 1 < name.length) {
    return { connection: name.slice(0, dot), database: named, channel: name.slice(dot + 1) }
  }
  if (defaultConnection === undefined) return undefined
  const database = databaseNamed(settings.connections, defaultConnection)
  if (database === undefined) return undefined
  return { connection: defaultConnection, database, channel: name }
}

/** A notification is no write: PostgreSQL takes it in a read-only transaction, too. */
function placeOf({ database }: ChannelAddress, adapter: GuardedAdapter): TransactionPlace {
  return {
    adapter,
    plan: { connection: database, compiled: { isWrite: false } },
    isLasting: true,
  }
}

/** The name of the connection that opens the database; several may share it. */
function databaseNamed(
  connections: ReadonlyMap<string, ConnectionSettings>,
  wanted: string,
): string | undefined {
  return [...connections.values()].find(
    ({ name, members }) => members?.has(wanted) ?? name === wanted,
  )?.name
}

/** The same for a channel that is unknown and for one that others may use. */
function denied(name: string): GatewayError {
  return new GatewayError('permissionDenied', `permission denied for channel "${name}"`, {
    sqlState: '42501',
  })
}

function noChannels(connection: string, use: ChannelUse): GatewayError {
  return new GatewayError(
    'unsupported',
    `${use.toUpperCase()} is not supported: the connection "${connection}" has no channels, only PostgreSQL has them`,
    { sqlState: '0A000' },
  )
}

function nameless(name: string): GatewayError {
  return new GatewayError(
    'badRequest',
    `the channel "${name}" needs its connection: "<connection>.${name}"`,
    { sqlState: '42704' },
  )
}
