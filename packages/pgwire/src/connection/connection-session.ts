/** @module Opens the session of an authenticated client: its settings, its cancel key and its message loop. */
import { type ClientInfo, callerName } from '@engine/core/server'
import type {
  ClientSession,
  PgWireServerOptions,
  PgWireSession,
  PgWireSignal,
} from '@engine/core/session'
import type { WireCatalog } from '../catalog/wire-catalog.ts'
import { createMessageWriter, type SocketWriter } from '../protocol/create-message-writer.ts'
import type { TransactionStatus } from '../protocol/message-writer.ts'
import type { BufferPool } from '../protocol/output-buffer.ts'
import { createWireSession } from '../session/create-wire-session.ts'
import { callerKey } from '../session/parts/session-parts.ts'
import type { StartedStatement, WireSessionOptions } from '../session/parts/wire-session.ts'
import { createSessionSettings } from '../session/settings/create-session-settings.ts'
import { defaultSearchPath } from '../session/settings/default-search-path.ts'
import type { SessionSettings } from '../session/settings/session-settings.ts'
import type { WireIdentity } from '../session/settings/wire-identity.ts'
import type { CancelKey, CancelKeys } from '../startup/cancel-keys.ts'
import type { Login } from '../startup/credentials.ts'
import type { Channel } from '../startup/negotiate.ts'
import { authenticationOk, backendKeyData } from '../startup/startup-messages.ts'
import type { StartupRequest } from '../startup/startup-request.ts'
import { createAdmission } from './admission.ts'
import { fatal } from './fatal.ts'
import { createMessageLoop, type MessageLoop } from './message-loop.ts'

export interface ConnectionSession {
  readonly loop: MessageLoop
  readonly settings: SessionSettings
  readonly status: () => TransactionStatus
  /** What administrators see, besides the state. */
  readonly describe: () => Omit<PgWireSession, 'state' | 'sinceMs'> & {
    /** When the statement began; undefined before the first one. */
    readonly statementAtMs: number | undefined
  }
  /** Withdraws the cancel key. */
  dispose(): void
}

/** Opens the session of a client. @throws {GatewayError} for invalid settings in the startup packet. */
export type OpenConnectionSession = (client: AuthenticatedClient) => ConnectionSession

/** A client, its startup packet and the user that it was authenticated as. */
export interface AuthenticatedClient {
  readonly channel: Channel
  readonly request: StartupRequest
  readonly login: Login
  readonly info: ClientInfo
}

export interface ConnectionSessionOptions extends PgWireServerOptions {
  readonly catalog: WireCatalog
  readonly cancelKeys: CancelKeys
  /** Stops a session, or its statement, here or in another process. @returns whether there is such a session. */
  readonly sendSignal: (signal: PgWireSignal) => boolean | Promise<boolean>
  readonly pool: BufferPool
}

/** Maximum number of prepared statements and portals of one session, and maximum bytes of their content. */
const mostNamed = { maxStatements: 5_000, maxPortals: 1_000, maxMemory: 64 * 1024 * 1024 }

/** A catalog has more rows than a page of an application: tools read all columns of all tables at once. */
const mostCatalogRows = 100_000

/** Maximum characters of a statement that administrators see. */
const mostShown = 2_000

/** The first protocol version with cancel keys of variable length. */
const longSecrets = 0x0003_0002

export function createConnectionSessions(options: ConnectionSessionOptions): OpenConnectionSession {
  const { settings, catalog } = options
  const serverVersion = settings.pgWire.serverVersion ?? catalog.serverVersion
  const shared = { options, serverVersion, limits: sessionLimits(options) }
  return (client) => openSession(shared, client)
}

/** The same for all sessions of a server. */
interface Shared {
  readonly options: ConnectionSessionOptions
  readonly serverVersion: string
  readonly limits: WireSessionOptions['limits']
}

function openSession(shared: Shared, authenticated: AuthenticatedClient): ConnectionSession {
  const { options, serverVersion, limits } = shared
  const { catalog, cancelKeys, pool, isDevelopment, log, clock } = options
  const { channel, request, login, info } = authenticated
  const { stream } = channel
  const client = openClient(options, authenticated)
  const secretLength = request.protocol >= longSecrets ? 32 : 4
  const key = cancelKeys.issue(secretLength, {
    cancel: () => session.cancel(),
    terminate: () => loop.end(terminated),
    callerKey: () => callerKey(client.caller()),
  })
  const identity = identityOf(request, key.processId)
  const settings = attempt(
    () => openSettings(shared, authenticated, client, identity),
    () => cancelKeys.withdraw(key),
  )
  const encoding = () => settings.clientEncoding()
  const writer = createMessageWriter(stream, pool, encoding)
  const session = createWireSession({
    client,
    catalog,
    writer,
    identity,
    settings,
    serverVersion,
    correlationId: info.correlationId,
    isDevelopment,
    log,
    clock,
    sendSignal: (processId, kind) => {
      // Sessions of other callers are not there, except for the master key.
      const own = client.caller()
      const callers = own.kind === 'admin' ? undefined : callerKey(own)
      return options.sendSignal({ kind, processId, callerKey: callers })
    },
    admit: createAdmission({ ...options, login, session: client, info }),
    notifications: {
      // Others that came in the same packet are sent together with it.
      arrived: () => queueMicrotask(() => loop.deliver()),
      overflowed: () => loop.end(overflowed),
      ended: () => loop.end(databaseClosed),
    },
    limits,
  })
  greet(writer, settings, key)
  const received = channel.source.release()
  const startedAtMs = clock()
  const loop = createMessageLoop({
    stream,
    received,
    writer,
    session,
    messageLimit: options.current().limits.maxRequestBodyBytes,
    encoding,
    log,
    clock,
  })
  return {
    loop,
    settings,
    status: () => session.status(),
    describe: () => {
      const facts = { client, settings, statement: session.statement() }
      return { ...describeSession(authenticated, facts), processId: key.processId, startedAtMs }
    },
    dispose: () => cancelKeys.withdraw(key),
  }
}

function sessionLimits({ settings, current }: ConnectionSessionOptions): Shared['limits'] {
  const { overflow, maxCursorRows } = settings.pgWire
  const usualCatalogRows = Math.min(mostCatalogRows, maxCursorRows)
  return {
    ...mostNamed,
    overflow,
    maxCursorRows,
    get maxCatalogRows() {
      return Math.max(current().limits.maxRows, usualCatalogRows)
    },
    get queryTimeoutMs() {
      return current().limits.queryTimeoutMs
    },
    get maxRowSize() {
      return current().limits.maxRequestBodyBytes
    },
  }
}

function openClient(
  options: ConnectionSessionOptions,
  { login, info: { correlationId, ip } }: AuthenticatedClient,
): ClientSession {
  const { caller, credentialId } = login.authenticated
  const origin = { correlationId, ip, via: 'pgwire', credentialId }
  return options.openSession({ caller, origin })
}

/** @throws {GatewayError} for invalid settings in the startup packet. */
function openSettings(
  { options, serverVersion }: Shared,
  { request, login }: AuthenticatedClient,
  client: ClientSession,
  identity: WireIdentity,
): SessionSettings {
  const { idleSessionTimeoutMs, idleInTransactionTimeoutMs } = options.settings.pgWire
  return createSessionSettings({
    identity,
    serverVersion,
    defaultSearchPath: defaultSearchPath(request.database, client.visible()),
    publicConnection: options.current().defaultConnection,
    isSuperuser: login.authenticated.caller.kind === 'admin',
    idleSessionTimeoutMs,
    idleInTransactionTimeoutMs,
  })
}

/** The end of the startup: from now on the client sends statements. */
function greet(writer: SocketWriter, settings: SessionSettings, key: CancelKey): void {
  writer.raw(authenticationOk)
  for (const [name, value] of settings.takeChanged()) writer.parameterStatus(name, value)
  writer.raw(backendKeyData(key.processId, key.secret))
  writer.readyForQuery('I')
}

function describeSession(
  { channel, login, info }: AuthenticatedClient,
  facts: {
    readonly client: ClientSession
    readonly settings: SessionSettings
    readonly statement: StartedStatement | undefined
  },
): Omit<ReturnType<ConnectionSession['describe']>, 'processId' | 'startedAtMs'> {
  const { client, settings, statement } = facts
  const now = client.caller()
  return {
    caller: callerName(now, 'pgwire'),
    roles: now.roles,
    credentialId: login.authenticated.credentialId ?? null,
    ip: info.ip ?? null,
    isEncrypted: channel.isEncrypted,
    applicationName: settings.show('application_name'),
    statement: statement?.sql.slice(0, mostShown) ?? null,
    statementAtMs: statement?.startedAtMs,
    correlationId: info.correlationId,
  }
}

const terminated = fatal('57P01', 'terminating connection due to administrator command')

const overflowed = fatal('53400', 'too many notifications wait for the session')

const databaseClosed = fatal(
  '57P01',
  'terminating connection: a database that the session listens to is configured in another way now',
)

function identityOf({ user, database, settings }: StartupRequest, processId: number): WireIdentity {
  const applicationName = settings.get('application_name') ?? ''
  return { user, database, processId, applicationName, settings }
}

function attempt<Result>(run: () => Result, onFailure: () => void): Result {
  try {
    return run()
  } catch (error) {
    onFailure()
    throw error
  }
}
