import { z } from 'zod'
import type { RelationshipConfig } from '../../compiler/catalog/relationship-config.ts'
import type { Faults } from '../../foundation/faults.ts'
import { isPlainObject } from '../../foundation/plain-object.ts'
import { type DescribedOption, describeOptions } from '../describe/describe-options.ts'
import type { ConnectionSettings } from '../settings/settings.ts'
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

const options = z.strictObject({
  url: z
    .string()
    .min(
      1,
      'is empty: expects a URL or a path; is its environment variable set, in .env for example?',
    ),
  pool: z.strictObject({ max: z.int().positive().max(1_000).optional() }).optional(),
  readOnly: z.boolean().optional(),
  schemaPolling,
  schema: z.string().min(1).optional(),
  schemas: schemasInput.optional(),
  tables: z
    .strictObject({
      include: z.array(z.string()).optional(),
      exclude: z.array(z.string()).optional(),
    })
    .optional(),
  relationships: z.unknown().optional(),
  create: z.boolean().optional(),
  synchronous: z.enum(['full', 'normal']).optional(),
  types: z.enum(['declared', 'inferred']).optional(),
  columnTypes: z
    .record(z.string().min(1), z.record(z.string().min(1), z.string().min(1)))
    .optional(),
})

const directoryOptions = z.strictObject({
  directory: z.string().min(1),
  tables: z
    .record(
      z.string().min(1),
      z.strictObject({
        key: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]).optional(),
        types: z.record(z.string().min(1), z.string().min(1)).optional(),
        delimiter: z
          .string()
          .min(1)
          .regex(/^[^"\r\n]*$/, 'has neither quotes nor line ends')
          .optional(),
        header: z.boolean().optional(),
      }),
    )
    .optional(),
  writable: z.boolean().optional(),
  onError: z.enum(['fail', 'skip']).optional(),
  types: options.shape.types,
  pool: options.shape.pool,
  readOnly: z.boolean().optional(),
  schemaPolling,
  relationships: z.unknown().optional(),
})

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

/** All options of connections. */
export function connectionOptions(): readonly DescribedOption[] {
  const at = 'connections.<name>'
  const relation = `${at}.relationships.<table>.<relation>`
  return [
    ...describeOptions(options, at),
    ...describeOptions(directoryOptions, at),
    ...describeOptions(renamed, relation),
    ...describeOptions(joined, relation),
  ]
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
  if (isPlainObject(value) && Object.hasOwn(value, 'directory')) {
    return parseDirectory(name, value, faults)
  }
  const object = typeof value === 'string' ? { url: value } : value
  const found = checked(options, object, path, faults)
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
  if (found.synchronous !== undefined && source.kind !== 'sqlite') {
    faults.add(`${path}.synchronous`, 'is an option of SQLite: leave it out')
  }
  if (found.schemas !== undefined) addSchemasFaults(found, source.kind, path, faults)
  const members = membersOf(name, found.schemas, path, faults)
  const problem = urlProblem(found.url)
  if (problem !== undefined) faults.add(path, problem)
  return {
    name,
    kind: source.kind,
    adapterPackage: source.adapterPackage,
    url: found.url,
    poolMax: found.pool?.max,
    readOnly: found.readOnly ?? false,
    schemaPollingMs: pollingMs(found.schemaPolling),
    schema: found.schema,
    schemas: found.schemas && (members ? [...members.values()] : Object.values(found.schemas)),
    members,
    include: found.tables?.include,
    exclude: found.tables?.exclude ?? [],
    relationships,
    create: found.create ?? false,
    synchronous: found.synchronous ?? 'full',
    types: found.types ?? 'inferred',
    columnTypes: found.columnTypes ?? {},
    csv: undefined,
  }
}

function parseDirectory(
  name: string,
  value: Readonly<Record<string, unknown>>,
  faults: Faults,
): ConnectionSettings | undefined {
  const path = `connections.${name}`
  const found = checked(directoryOptions, value, path, faults)
  const relationships = parseRelationships(value, `${path}.relationships`, faults)
  if (found === undefined) return undefined
  const { directory, tables, writable, onError, types = 'inferred' } = found
  return {
    name,
    ...directorySource,
    url: directory,
    poolMax: found.pool?.max,
    readOnly: found.readOnly ?? false,
    schemaPollingMs: pollingMs(found.schemaPolling),
    schema: undefined,
    schemas: undefined,
    members: undefined,
    include: undefined,
    exclude: [],
    relationships,
    create: false,
    synchronous: 'full',
    types,
    columnTypes: {},
    csv: { directory, tables, writable, onError },
  }
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
