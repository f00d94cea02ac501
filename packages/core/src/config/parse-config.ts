import { z } from 'zod'
import { GatewayError } from '../errors.ts'
import { createFaults, type Fault, type Faults } from '../permissions/faults.ts'
import { parsePermission } from '../permissions/parse-permission.ts'
import type { Permission } from '../permissions/permission.ts'
import { isPlainObject } from '../permissions/plain-object.ts'
import { checked } from './config-issues.ts'
import { parseConnections } from './parse-connections.ts'
import type { AuthSettings, Limits, Settings } from './settings.ts'
import { parseSize } from './units.ts'

const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, {
  error: 'expects at least 32 bytes',
})

/** It travels in a header. */
const masterKey = secret.refine((text) => /^[!-~]([ -~]*[!-~])?$/.test(text), {
  error: 'expects printable ASCII characters, blanks inside only',
})

const sizeExpected = 'expects a size such as "1mb" or "512kb"'

function isSize(text: string): boolean {
  return (parseSize(text) ?? 0) > 0
}

const configInput = z.strictObject({
  mode: z.literal('programmatic').optional(),
  masterKey: masterKey.optional(),
  connections: z.unknown().optional(),
  auth: z
    .strictObject({
      secret,
      roles: z
        .strictObject({
          default: z.array(z.string()).optional(),
          claim: z.string().min(1).optional(),
        })
        .optional(),
    })
    .optional(),
  jwt: z
    .strictObject({
      algorithms: z.array(z.literal('HS256')).min(1).optional(),
      issuer: z.string().optional(),
      audience: z.string().optional(),
      clockSkewSeconds: z.number().nonnegative().max(600).optional(),
    })
    .optional(),
  permissions: z.unknown().optional(),
  limits: z
    .strictObject({
      maxRows: z.int().positive().optional(),
      maxRelationDepth: z.int().positive().optional(),
      maxFilterNesting: z.int().positive().optional(),
      maxFilterConditions: z.int().positive().optional(),
      maxRequestBodySize: z.string().refine(isSize, { error: sizeExpected }).optional(),
      queryTimeout: z.int().positive().max(2_147_483_647).optional(),
    })
    .optional(),
})

type ConfigInput = z.infer<typeof configInput>

/**
 * Turns what a user wrote into `Settings`.
 *
 * @throws {GatewayError} `invalidConfiguration`, its `details.faults` naming everything that is wrong, with paths.
 */
export function parseConfig(input: unknown): Settings {
  const faults = createFaults()
  if (!isPlainObject(input)) {
    faults.add('configuration', 'expects an object')
    throw invalidConfiguration(faults.list)
  }
  const parsed = checked(configInput, input, '', faults)
  const connections = parseConnections(input['connections'], faults)
  const permissions = parsePermissions(input['permissions'], faults)
  if (parsed === undefined || faults.list.length > 0) throw invalidConfiguration(faults.list)
  const { masterKey, auth, jwt, limits = {} } = parsed
  return {
    masterKey,
    connections,
    auth: auth && parseAuth(auth),
    jwt: {
      algorithms: jwt?.algorithms,
      issuer: jwt?.issuer,
      audience: jwt?.audience,
      clockSkewSeconds: jwt?.clockSkewSeconds ?? 0,
    },
    permissions,
    limits: parseLimits(limits),
  }
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

function parseAuth(auth: NonNullable<ConfigInput['auth']>): AuthSettings {
  return {
    secret: auth.secret,
    defaultRoles: auth.roles?.default ?? ['user'],
    rolesClaim: (auth.roles?.claim ?? 'roles').split('.'),
  }
}

function parseLimits(input: NonNullable<ConfigInput['limits']>): Limits {
  return {
    maxRows: input.maxRows ?? 10_000,
    maxRelationDepth: input.maxRelationDepth ?? 5,
    maxFilterNesting: input.maxFilterNesting ?? 10,
    maxFilterConditions: input.maxFilterConditions ?? 100,
    maxRequestBodyBytes: parseSize(input.maxRequestBodySize ?? '1mb') ?? 0,
    queryTimeoutMs: input.queryTimeout ?? 30_000,
  }
}
