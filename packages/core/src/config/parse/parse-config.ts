import { parsePermission } from '../../compiler/permissions/permission/parse-permission.ts'
import type { Permission } from '../../compiler/permissions/permission/permission.ts'
import { GatewayError } from '../../foundation/errors.ts'
import { createFaults, type Fault, type Faults, suggestion } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { withPlaces } from '../describe/option-places.ts'
import type { AuthProvider } from '../options/auth-provider.ts'
import { shapeProblem } from '../options/config-shape.ts'
import type { ConnectionSettings, Settings } from '../settings/settings.ts'
import { configurationOptions } from './configuration-options.ts'
import { connectionNames } from './connection-names.ts'
import type { RegisteredAdapters } from './connection-source.ts'
import { parseActions } from './parse-actions.ts'
import { parseAuth } from './parse-auth.ts'
import { parseChannels } from './parse-channels.ts'
import { parseConnections } from './parse-connections.ts'
import { parseLimits } from './parse-limits.ts'
import { parseAudit, parseSchemaEndpoint, parseSecurity } from './parse-operations.ts'
import { parsePgWire } from './parse-pg-wire.ts'
import { parseTop } from './parse-top.ts'

/**
 * Converts a user's configuration to `Settings`.
 *
 * @param adapters registered adapters, with their URL schemes and options. The options of other adapters are checked when they are
 *   loaded.
 * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming every fault with its path.
 */
export function parseConfig(input: unknown, adapters: RegisteredAdapters = {}): Settings {
  const faults = createFaults()
  const problem = shapeProblem(input)
  if (problem !== undefined || !isPlainObject(input)) {
    faults.add('configuration', problem ?? 'is no plain object')
    throw invalidConfiguration(faults.list)
  }
  const parsed = parseTop(input, faults)
  const isInteractive = input['mode'] === 'interactive'
  const connections = parseConnections(
    input['connections'] ?? (isInteractive ? {} : undefined),
    adapters,
    faults,
    isInteractive,
  )
  const defaultConnection = defaultConnectionOf(input, connections, faults)
  const permissions = parsePermissions(input['permissions'], faults)
  const channels = parseChannels(input['channels'], connections, faults)
  const authProvider = isAuthProvider(input['auth']) ? input['auth'] : undefined
  const auth = authProvider === undefined ? parseAuth(input['auth'], faults) : undefined
  const limits = parseLimits(input['limits'], faults)
  const actions = parseActions(input['actions'], faults)
  const audit = parseAudit(input['audit'], faults)
  const security = parseSecurity(input['security'], faults)
  const schemaEndpoint = parseSchemaEndpoint(input['schemaEndpoint'], faults)
  const known = {
    hasAuth: input['auth'] !== undefined,
    authProvider,
  }
  if (isInteractive && input['masterKey'] === undefined) {
    faults.add('masterKey', 'is missing: mode "interactive" encrypts its secrets with it')
  }
  const pgWire = parsePgWire(input['pgWire'], known, faults)
  const isWhole = parsed && limits && audit && security && schemaEndpoint
  if (!isWhole || faults.list.length > 0) {
    throw invalidConfiguration(withPlaces(faults.list, configurationOptions(adapters)))
  }
  const { mode, masterKey, admin, jwt, internal, metrics, log } = parsed
  return {
    mode,
    admin,
    masterKey,
    serviceDatabase: parsed.service_db ?? './engine.db',
    isServiceDatabaseNamed: parsed.service_db !== undefined,
    connections,
    defaultConnection,
    auth,
    authProvider,
    open: parsed.open,
    jwt: {
      algorithms: jwt?.algorithms,
      issuer: jwt?.issuer,
      audience: jwt?.audience,
      clockSkewSeconds: jwt?.clockSkewSeconds ?? 0,
    },
    permissions,
    channels,
    limits,
    actions,
    audit,
    security,
    schemaEndpoint,
    pgWire,
    internal,
    isMetricsEnabled: metrics?.enabled ?? internal !== undefined,
    log,
  }
}

/** A wrong type is a fault of `parseTop`. */
function defaultConnectionOf(
  { connections, defaultConnection: named }: Readonly<Record<string, unknown>>,
  parsed: ReadonlyMap<string, ConnectionSettings>,
  faults: Faults,
): string | undefined {
  if (typeof named !== 'string') {
    const [only, ...others] = connectionNames(parsed.values())
    return others.length > 0 ? undefined : only
  }
  const written = isPlainObject(connections) ? Object.keys(connections) : []
  const known = [...new Set([...connectionNames(parsed.values()), ...written])]
  if (!known.includes(named)) {
    faults.add('defaultConnection', `there is no connection "${named}"${suggestion(named, known)}`)
  }
  return named
}

function isAuthProvider(input: unknown): input is AuthProvider {
  return (
    typeof input === 'object' &&
    input !== null &&
    'authenticate' in input &&
    typeof input.authenticate === 'function'
  )
}

/** The error that keeps an engine from starting. */
export function invalidConfiguration(faults: readonly Fault[]): GatewayError {
  const lines = faults.map(({ path, message }) => `  ${path}: ${message}`)
  return new GatewayError('invalidConfiguration', `Invalid configuration\n${lines.join('\n')}`, {
    publicMessage: 'The server is not configured correctly.',
    details: { faults },
  })
}

function parsePermissions(input: unknown, faults: Faults): ReadonlyMap<string, Permission> {
  const result = new Map<string, Permission>()
  if (input === undefined) return result
  if (!isPlainObject(input) && !Array.isArray(input)) {
    faults.add('permissions', 'expects permissions by name, or a list')
    return result
  }
  const entries: readonly [string, unknown][] = Array.isArray(input)
    ? input.map((item, i) => [String(i), item])
    : Object.entries(input)
  for (const [name, value] of entries) {
    const permission = parsePermission(value, faults, `permissions.${name}`)
    if (permission !== undefined) result.set(name, permission)
  }
  return result
}
