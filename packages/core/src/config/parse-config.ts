import { z } from 'zod'
import { GatewayError } from '../errors.ts'
import { createFaults, type Fault, type Faults, suggestion } from '../permissions/faults.ts'
import { parsePermission } from '../permissions/parse-permission.ts'
import type { Permission } from '../permissions/permission.ts'
import { isPlainObject } from '../permissions/plain-object.ts'
import type { RelationshipConfig } from './config.ts'
import { connectionSource } from './connection-source.ts'
import type { AuthSettings, ConnectionSettings, Limits, Settings } from './settings.ts'
import { parseSize } from './units.ts'

const names = z.union([z.string(), z.array(z.string()).min(1)])

const relationship = z.union([
  z.strictObject({ rename: z.string().min(1) }),
  z.strictObject({
    table: z.string().min(1),
    type: z.enum(['one-to-one', 'one-to-many', 'many-to-one']),
    from: names,
    to: names,
  }),
])

const connectionObject = z.strictObject({
  url: z.string().min(1),
  pool: z.strictObject({ max: z.int().positive().max(1_000).optional() }).optional(),
  readOnly: z.boolean().optional(),
  schema: z.string().min(1).optional(),
  tables: z
    .strictObject({
      include: z.array(z.string()).optional(),
      exclude: z.array(z.string()).optional(),
    })
    .optional(),
  relationships: z.record(z.string(), z.record(z.string(), relationship)).optional(),
  create: z.boolean().optional(),
})

const secret = z.string().refine((text) => Buffer.byteLength(text) >= 32, {
  error: 'expects at least 32 bytes',
})

const configInput = z.strictObject({
  mode: z.literal('programmatic').optional(),
  masterKey: secret.optional(),
  connections: z.record(z.string(), z.union([z.string().min(1), connectionObject])),
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
      maxRequestBodySize: z.string().optional(),
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
  const parsed = configInput.safeParse(input)
  if (!parsed.success) for (const issue of parsed.error.issues) addIssue(issue, faults)
  const permissions = parsePermissions(
    isPlainObject(input) ? input['permissions'] : undefined,
    faults,
  )
  const connections = parsed.success ? parseConnections(parsed.data, faults) : new Map()
  const limits = parsed.success ? parseLimits(parsed.data.limits ?? {}, faults) : undefined
  if (!parsed.success || limits === undefined || faults.list.length > 0) {
    throw invalidConfiguration(faults.list)
  }
  const { masterKey, auth, jwt } = parsed.data
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
    limits,
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

function addIssue(issue: z.core.$ZodIssue, faults: Faults): void {
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) {
      const hint = suggestion(key, Object.keys(configInput.shape))
      faults.add([path, key].filter(Boolean).join('.'), `unknown key${hint}`)
    }
    return
  }
  faults.add(path || 'configuration', issue.message)
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

function parseConnections(
  { connections }: ConfigInput,
  faults: Faults,
): ReadonlyMap<string, ConnectionSettings> {
  const result = new Map<string, ConnectionSettings>()
  if (Object.keys(connections).length === 0) faults.add('connections', 'expects at least one')
  for (const [name, value] of Object.entries(connections)) {
    const path = `connections.${name}`
    const isReserved = name === 'public' || name === 'information_schema' || name.startsWith('pg_')
    if (!/^[a-z][a-z0-9_]*$/.test(name) || isReserved || name.length > 63) {
      faults.add(path, 'a name has lower-case letters, digits and _, and is not reserved')
    }
    const options = typeof value === 'string' ? { url: value } : value
    const source = connectionSource(options.url)
    if (source === undefined) {
      faults.add(
        path,
        'expects postgres://, mysql://, libsql://, file: or a path in .db or .sqlite',
      )
      continue
    }
    result.set(name, {
      name,
      ...source,
      url: options.url,
      poolMax: options.pool?.max,
      readOnly: options.readOnly ?? false,
      schema: options.schema,
      include: options.tables?.include,
      exclude: options.tables?.exclude ?? [],
      relationships: (options.relationships ?? {}) as Readonly<
        Record<string, Readonly<Record<string, RelationshipConfig>>>
      >,
      create: options.create ?? false,
    })
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

function parseLimits(input: NonNullable<ConfigInput['limits']>, faults: Faults): Limits {
  const size = input.maxRequestBodySize ?? '1mb'
  const maxRequestBodyBytes = parseSize(size)
  if (maxRequestBodyBytes === undefined || maxRequestBodyBytes === 0) {
    faults.add('limits.maxRequestBodySize', 'expects a size such as "1mb" or "512kb"')
  }
  return {
    maxRows: input.maxRows ?? 10_000,
    maxRequestBodyBytes: maxRequestBodyBytes ?? 0,
    queryTimeoutMs: input.queryTimeout ?? 30_000,
  }
}
