/** @module LISTEN and NOTIFY of a session: which channel a name means, and whether the caller may use it. */

import { applies } from '../../compiler/permissions/combination/roles.ts'
import { isChannelName } from '../../config/parse/parse-channels.ts'
import type { ConnectionSettings } from '../../config/settings/settings.ts'
import type { Caller } from '../../foundation/caller.ts'
import { GatewayError } from '../../foundation/errors.ts'
import type { GuardedAdapter, GuardedSession } from '../guard/guarded-adapter.ts'
import type { QueryEnvironment } from '../query/query-environment.ts'
import type { ChannelAddress, ChannelRequest, SessionChannels } from './client-session.ts'
import type { TransactionPlace } from './session-transaction.ts'
import type { VisibleCatalog } from './visible-catalog.ts'

export interface SessionChannelsOptions {
  /** Of the next statement. */
  readonly environment: () => QueryEnvironment
  readonly caller: () => Caller
  readonly visible: () => VisibleCatalog
  /** May the caller do everything? */
  readonly isUnrestricted: () => boolean
  /** Runs one of the two statements, with an entry in the audit. */
  audited<Answer extends { readonly rowCount: number }>(
    request: ChannelRequest,
    run: (touched: Set<string>, environment: QueryEnvironment) => Promise<Answer>,
  ): Promise<Answer>
  /** Runs work in the open transaction, otherwise in its own. */
  within(
    environment: QueryEnvironment,
    place: TransactionPlace,
    signal: AbortSignal | undefined,
    work: (session: GuardedSession) => Promise<void>,
  ): Promise<void>
}

/** Bytes of a payload, at most: PostgreSQL's limit. */
const mostPayload = 7_999

export function createSessionChannels(options: SessionChannelsOptions): SessionChannels {
  const { environment, caller, visible, isUnrestricted, audited, within } = options

  const findIn = ({ settings }: QueryEnvironment, name: string): ChannelAddress | undefined => {
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

  const isGranted = (
    { settings }: QueryEnvironment,
    { connection, channel }: ChannelAddress,
    use: 'listen' | 'notify',
  ) => {
    if (isUnrestricted()) return true
    const { roles, kind } = caller()
    return settings.channels.some(
      (each) =>
        each[use] &&
        each.connection === connection &&
        each.channel === channel &&
        applies(each.roles, roles, kind === 'user'),
    )
  }

  /** Only then may the caller learn which kind of database the connection has. */
  const isKnownTo = ({ settings }: QueryEnvironment, { connection }: ChannelAddress): boolean =>
    connection === settings.defaultConnection ||
    isUnrestricted() ||
    visible().connections.some(({ name, tables }) => name === connection && tables.length > 0)

  const requireGranted = (own: QueryEnvironment, name: string, use: 'listen' | 'notify') => {
    const address = findIn(own, name)
    if (address === undefined) throw nameless(name)
    const source = own.sources.get(address.database)
    const channels = source?.adapter.channels
    if (channels === undefined && isKnownTo(own, address)) {
      throw noChannels(address.connection, use)
    }
    if (source === undefined || channels === undefined || !isGranted(own, address, use)) {
      throw denied(name)
    }
    if (!isChannelName(address.channel)) {
      throw new GatewayError('badRequest', 'channel name too long', { sqlState: '22023' })
    }
    return { address, channels, source }
  }

  return {
    find: (name) => findIn(environment(), name),
    mayListen: (address) => isGranted(environment(), address, 'listen'),
    listen: async (request, { onNotification, onEnd }) => {
      let stop: () => void = () => undefined
      try {
        await audited(request, async (touched, own) => {
          const { address, channels, source } = requireGranted(own, request.name, 'listen')
          touched.add(address.connection)
          const leave = await channels.listen(address.channel, onNotification)
          source.closing.addEventListener('abort', onEnd, { once: true })
          stop = () => {
            source.closing.removeEventListener('abort', onEnd)
            leave()
          }
          return { rowCount: 0 }
        })
      } catch (error) {
        stop()
        throw error
      }
      return stop
    },
    notify: async (request, payload) => {
      await audited(request, async (touched, own) => {
        const { address, source } = requireGranted(own, request.name, 'notify')
        touched.add(address.connection)
        if (Buffer.byteLength(payload) > mostPayload) {
          throw new GatewayError('badRequest', 'payload string too long', { sqlState: '22023' })
        }
        const place = placeOf(address, source.guarded)
        await within(own, place, request.signal, async (session) => {
          if (session.notify === undefined) throw noChannels(address.connection, 'notify')
          await session.notify(address.channel, payload)
        })
        return { rowCount: 0 }
      })
    },
  }
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

function noChannels(connection: string, use: 'listen' | 'notify'): GatewayError {
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
