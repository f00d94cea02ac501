import { z } from 'zod'
import type { RelationshipConfig } from '../../compiler/catalog/relationship-config.ts'
import type { Faults } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { AdapterOptions } from '../options/adapter-options.ts'
import type { ConnectionSettings } from '../settings/settings.ts'
import { addAdapterFaults, registeredOptions } from './adapter-options.ts'
import { checked } from './config-issues.ts'
import { duration } from './config-values.ts'
import {
  addNameFault,
  addSchemasFaults,
  addTwiceNamed,
  membersOf,
  schemasInput,
} from './connection-schemas.ts'
import {
  connectionSource,
  directorySource,
  type RegisteredAdapters,
  schemesNamed,
} from './connection-source.ts'
import { urlProblem } from './url-problem.ts'

/** Milliseconds between two looks at the schema of a database. */
const usualPollingMs = 2_000

/** One look costs a database some milliseconds. */
const leastPollingMs = 100
const mostPollingMs = 86_400_000

const schemaPolling = z
  .union([z.literal(false), duration(leastPollingMs, mostPollingMs)])
  .optional()

const inferred = z.enum(['declared', 'inferred']).optional()

/** What every connection may have. The rest belongs to its adapter. */
const everywhere = {
  pool: z.strictObject({ max: z.int().positive().max(1_000).optional() }).optional(),
  readOnly: z.boolean().optional(),
  schemaPolling,
  relationships: z.unknown().optional(),
  types: inferred,
}

const databaseInput = z.object({
  url: z
    .string()
    .min(
      1,
      'is empty: expects a URL or a path; is its environment variable set, in .env for example?',
    ),
  ...everywhere,
  schema: z.string().min(1).optional(),
  schemas: schemasInput.optional(),
  tables: z
    .strictObject({
      include: z.array(z.string()).optional(),
      exclude: z.array(z.string()).optional(),
    })
    .optional(),
  columnTypes: z
    .record(z.string().min(1), z.record(z.string().min(1), z.string().min(1)))
    .optional(),
})

const directoryInput = z.object({ directory: z.string().min(1), ...everywhere })

const columnNames = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
  error: 'expects a column or a list of columns',
})

const renamed = z.strictObject({ rename: z.string().min(1) })

const added = z.strictObject({
  table: z.string().min(1),
  type: z.enum(['one-to-one', 'one-to-many', 'many-to-one'], {
    error: 'expects one-to-one, one-to-many, many-to-one or many-to-many',
  }),
  from: columnNames,
  to: columnNames,
})

const joined = z.strictObject({
  ...added.shape,
  type: z.literal('many-to-many'),
  through: z.strictObject({ table: z.string().min(1), from: columnNames, to: columnNames }),
})

/** All options of connections, those of the given adapters among them. */
export function connectionOptions(adapters: RegisteredAdapters): readonly DescribedOption[] {
  const at = 'connections.<name>'
  const relation = `${at}.relationships.<table>.<relation>`
  const ofAdapters = Object.keys(adapters).flatMap(
    (name) => registeredOptions(adapters, name) ?? [],
  )
  return [
    ...describeOptions(databaseInput, at),
    ...describeOptions(directoryInput, at),
    ...ofAdapters.flatMap((input) => describeOptions(input, at)),
    ...describeOptions(renamed, relation),
    ...describeOptions(joined, relation),
  ]
}

/** Adds the faults of the part of a connection that belongs to its adapter. */
export function addFaultsOfAdapter(
  {
    name,
    adapterPackage,
    adapterOptions,
  }: Pick<ConnectionSettings, 'name' | 'adapterPackage' | 'adapterOptions'>,
  options: AdapterOptions,
  faults: Faults,
): void {
  const isDirectory = adapterPackage === directorySource.adapterPackage
  const others = Object.keys((isDirectory ? directoryInput : databaseInput).shape)
  addAdapterFaults(adapterOptions, options, { at: `connections.${name}`, others, faults })
}

/**
 * Connections by name: URLs, paths and objects around them.
 *
 * @param mayBeEmpty connections can be added while the server runs.
 */
export function parseConnections(
  input: unknown,
  adapters: RegisteredAdapters,
  faults: Faults,
  mayBeEmpty: boolean,
): ReadonlyMap<string, ConnectionSettings> {
  const result = new Map<string, ConnectionSettings>()
  if (!isPlainObject(input)) {
    faults.add('connections', 'expects connections by name')
    return result
  }
  const entries = Object.entries(input)
  if (entries.length === 0 && !mayBeEmpty) faults.add('connections', 'expects at least one')
  for (const [name, value] of entries) {
    const connection = parseConnection(name, value, adapters, faults)
    if (connection !== undefined) result.set(name, connection)
  }
  addTwiceNamed(result.values(), faults)
  return result
}

function parseConnection(
  name: string,
  value: unknown,
  adapters: RegisteredAdapters,
  faults: Faults,
): ConnectionSettings | undefined {
  const path = `connections.${name}`
  addNameFault(name, path, faults)
  if (typeof value !== 'string' && !isPlainObject(value)) {
    const hint = value === undefined ? ': is its environment variable set?' : ''
    faults.add(path, `expects a URL, a path or an object { url } or { directory }${hint}`)
    return undefined
  }
  const connection =
    isPlainObject(value) && Object.hasOwn(value, 'directory')
      ? parseDirectory(name, value, faults)
      : parseDatabase(name, typeof value === 'string' ? { url: value } : value, adapters, faults)
  if (connection === undefined) return undefined
  const options = registeredOptions(adapters, connection.adapterPackage)
  if (options !== undefined) addFaultsOfAdapter(connection, options, faults)
  return connection
}

function parseDatabase(
  name: string,
  object: Readonly<Record<string, unknown>>,
  adapters: RegisteredAdapters,
  faults: Faults,
): ConnectionSettings | undefined {
  const path = `connections.${name}`
  const found = checked(databaseInput, object, path, faults)
  const relationships = parseRelationships(object, `${path}.relationships`, faults)
  if (found === undefined) return undefined
  const source = connectionSource(found.url, adapters)
  if (source === undefined) {
    faults.add(path, `expects ${schemesNamed(adapters)}`)
    return undefined
  }
  for (const key of ['types', 'columnTypes'] as const) {
    if (source.declaresTypes !== true || found[key] === undefined) continue
    faults.add(`${path}.${key}`, 'the database has a type for every column: leave it out')
  }
  if (found.schemas !== undefined) {
    addSchemasFaults(found, source.hasSchemas === true, path, faults)
  }
  const members = membersOf(name, found.schemas, path, faults)
  const problem = urlProblem(found.url)
  if (problem !== undefined) faults.add(path, problem)
  return {
    name,
    kind: source.kind,
    adapterPackage: source.adapterPackage,
    url: found.url,
    ...commonSettings(found),
    schema: found.schema,
    schemas: found.schemas && (members ? [...members.values()] : Object.values(found.schemas)),
    members,
    include: found.tables?.include,
    exclude: found.tables?.exclude ?? [],
    relationships,
    columnTypes: found.columnTypes ?? {},
    adapterOptions: withoutKeys(object, databaseInput),
  }
}

function parseDirectory(
  name: string,
  value: Readonly<Record<string, unknown>>,
  faults: Faults,
): ConnectionSettings | undefined {
  const path = `connections.${name}`
  const found = checked(directoryInput, value, path, faults)
  const relationships = parseRelationships(value, `${path}.relationships`, faults)
  if (found === undefined) return undefined
  const { kind, adapterPackage } = directorySource
  return {
    name,
    kind,
    adapterPackage,
    url: found.directory,
    ...commonSettings(found),
    schema: undefined,
    schemas: undefined,
    members: undefined,
    include: undefined,
    exclude: [],
    relationships,
    columnTypes: {},
    adapterOptions: withoutKeys(value, directoryInput),
  }
}

type CommonSettings = Pick<ConnectionSettings, 'poolMax' | 'readOnly' | 'schemaPollingMs' | 'types'>

function commonSettings(
  found: Pick<z.infer<typeof directoryInput>, keyof typeof everywhere>,
): CommonSettings {
  const { pool, readOnly = false, schemaPolling: polling, types = 'inferred' } = found
  return { poolMax: pool?.max, readOnly, schemaPollingMs: pollingMs(polling), types }
}

/** The options that the input does not have. */
function withoutKeys(
  object: Readonly<Record<string, unknown>>,
  { shape }: z.ZodObject,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !Object.hasOwn(shape, key)))
}

function pollingMs(polling: number | false = usualPollingMs): number | undefined {
  return polling === false ? undefined : polling
}

type Relationships = ConnectionSettings['relationships']

function parseRelationships(
  { relationships = {} }: Readonly<Record<string, unknown>>,
  path: string,
  faults: Faults,
): Relationships {
  if (!isPlainObject(relationships)) {
    faults.add(path, 'expects relations by table and name')
    return {}
  }
  const tables: [string, Record<string, RelationshipConfig>][] = []
  for (const [table, relations] of Object.entries(relationships)) {
    if (!isPlainObject(relations)) {
      faults.add(`${path}.${table}`, 'expects relations by name')
      continue
    }
    const found: [string, RelationshipConfig][] = []
    for (const [name, value] of Object.entries(relations)) {
      const relation = checked(relationOf(value), value, `${path}.${table}.${name}`, faults)
      if (relation !== undefined) found.push([name, relation])
    }
    tables.push([table, Object.fromEntries(found)])
  }
  return Object.fromEntries(tables)
}

/** The form that the user intended, so that a fault is reported for that form only. */
function relationOf(value: unknown): z.ZodType<RelationshipConfig> {
  if (!isPlainObject(value)) return added
  if (Object.hasOwn(value, 'rename')) return renamed
  return value['type'] === 'many-to-many' ? joined : added
}
