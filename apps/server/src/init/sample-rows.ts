/** @module Rows that are there, so that the first tests of the permissions are about something. */
import {
  admin,
  type Caller,
  type Config,
  createEngine,
  type Engine,
  type Filter,
  type Permission,
  silentLog,
} from '@engine/core'
import type { Column, Table } from '@engine/core/catalog'
import { parseConfig } from '@engine/core/server'
import { loadAdapters } from '../configuration/adapters.ts'
import { readBody } from '../format/format-simulation.ts'
import type { Answers, TableAccess } from './guess-access.ts'
import { quote } from './quote.ts'
import { bothFilters, type RowFilter } from './row-filter.ts'

/** The values of `$user.<field>`. */
export type Fields = Readonly<Record<string, unknown>>

/** The values of a primary key, by column. */
export type RowKey = Readonly<Record<string, unknown>>

/** Rows of one table, as a caller is to see them. */
export interface TableSample {
  readonly fields: Fields
  /** A row that the role `user` reads; undefined: none of the users that were tried has one. */
  readonly own: RowKey | undefined
  /** A row that the role `staff` reads. */
  readonly ofTenant: RowKey | undefined
  /** A row of the same tenant and another owner, where the owner is in a related row. */
  readonly ofOthers: RowKey | undefined
  /** A row of another tenant, where the tenant is in a related row. */
  readonly ofStrangers: RowKey | undefined
}

export interface Samples {
  /** Users that exist, the one with rows in most tables first. */
  readonly callers: readonly Fields[]
  readonly tables: ReadonlyMap<Table, TableSample>
}

export const noSamples: Samples = { callers: [], tables: new Map() }

export interface SampleOptions extends Answers {
  readonly connection: string
  readonly tables: readonly TableAccess[]
  /** Reading stops then; tables that were not reached have no sample. 15 seconds by default. */
  readonly signal?: AbortSignal
}

const timeoutMs = 15_000
/** More users than that are not tried. */
const mostCallers = 8

/** Reads no more than keys, owners and tenants. A table whose rows cannot be read has no sample. */
export async function readSamples(
  source: Config['connections'][string],
  options: SampleOptions,
): Promise<Samples> {
  const { connection, tables } = options
  const sampled = tables.filter(isSampled)
  if (sampled.length === 0) return noSamples
  const config: Config = {
    connections: { [connection]: source },
    permissions: Object.fromEntries(sampled.flatMap((access) => probesOf(access, connection))),
  }
  const { adapters } = await loadAdapters(parseConfig(config))
  const engine = await createEngine(config, { adapters, log: silentLog, isProduction: false })
  try {
    return await sample(sampled, options, reader(engine, options))
  } finally {
    await engine.close()
  }
}

const keyTypes: ReadonlySet<number> = new Set([20, 21, 23, 25, 1042, 1043, 1700, 2950])

/** Its rows can be named by a key of texts and numbers that the roles may read. */
function isSampled({ table, kind, columns }: TableAccess): boolean {
  const keys = keyColumns(table)
  return (
    (kind === 'own' || kind === 'tenant') &&
    table.kind === 'table' &&
    keys.length > 0 &&
    keys.every(({ name, type }) => columns.includes(name) && keyTypes.has(type.oid))
  )
}

function keyColumns({ primaryKey, columns }: Table): readonly Column[] {
  return primaryKey.flatMap((at) => columns[at] ?? [])
}

type Probe = 'user' | 'staff' | 'others' | 'strangers'

/** One role for each question about a table: the permission is its condition. */
function probesOf(
  { table, own, tenant }: TableAccess,
  connection: string,
): readonly (readonly [string, Permission])[] {
  const filters: readonly (readonly [Probe, RowFilter | undefined])[] = [
    ['user', bothFilters(tenant, own)],
    ['staff', tenant],
    ['others', own && { ...tenant, $not: own }],
    ['strangers', tenant && { $not: tenant }],
  ]
  const columns = keyColumns(table).map(({ name }) => name)
  return filters.flatMap(([role, where]) =>
    where === undefined
      ? []
      : [
          [
            `${role} ${table.name}`,
            {
              table: `${connection}.${table.name}`,
              roles: [role],
              // As in the configuration that is written: names from the catalog, without the types of a schema.
              select: { columns, where: where as Filter },
            },
          ] as const,
        ],
  )
}

/** @returns the rows; none where the statement is refused. */
type Read = (
  table: Table,
  columns: readonly string[],
  rest: { readonly caller: Caller; readonly limit: number; readonly where?: Fields },
) => Promise<readonly Fields[]>

function reader(engine: Engine, options: SampleOptions): Read {
  const { connection, signal = AbortSignal.timeout(timeoutMs) } = options
  return async (table, columns, { caller, limit, where = {} }) => {
    const conditions = Object.keys(where).map((name, at) => `${quote(name)} = $${at + 1}`)
    const sql = [
      `select ${columns.map(quote).join(', ')} from ${quote(connection)}.${quote(table.name)}`,
      ...(conditions.length === 0 ? [] : [`where ${conditions.join(' and ')}`]),
      `limit ${limit}`,
    ].join(' ')
    const step = { sql, params: Object.values(where), caller }
    const simulation = await engine.simulate(step, { signal })
    if (simulation.outcome !== 'answered') return []
    const rows = readBody(simulation.body).rows as readonly (readonly unknown[])[]
    return rows.map((row) => Object.fromEntries(columns.map((name, at) => [name, row[at]])))
  }
}

async function sample(
  sampled: readonly TableAccess[],
  options: SampleOptions,
  read: Read,
): Promise<Samples> {
  const callers = [...(await findCallers(sampled, options, read))]
  const tables = new Map<Table, TableSample>()
  const uses = new Map<Fields, number>()
  for (const access of sampled) {
    const found = await sampleOf(access, callers, read)
    if (found === undefined) continue
    tables.set(access.table, found)
    uses.set(found.fields, (uses.get(found.fields) ?? 0) + 1)
    callers.sort((a, b) => (uses.get(b) ?? 0) - (uses.get(a) ?? 0))
  }
  return { callers, tables }
}

/** Owners of rows, and then other users; each has a tenant where users have one. */
async function findCallers(
  sampled: readonly TableAccess[],
  { users, tenancy }: SampleOptions,
  read: Read,
): Promise<readonly Fields[]> {
  const key = users?.key.name ?? 'id'
  const owners = new Set<unknown>()
  for (const access of sampled) {
    const column = ownerColumn(access)
    if (column === undefined || access.table === users?.table) continue
    const rows = await read(access.table, [column], { caller: admin, limit: 20 })
    const owner = rows.find((row) => row[column] !== null)
    if (owner !== undefined) owners.add(owner[column])
  }
  if (users === undefined) return [...owners].slice(0, mostCallers).map((id) => ({ [key]: id }))
  const columns = tenancy?.isOfUser === true ? [key, tenancy.column] : [key]
  const found: Fields[] = []
  for (const owner of [...owners].slice(0, mostCallers)) {
    const where = { [key]: owner }
    found.push(...(await read(users.table, columns, { caller: admin, limit: 1, where })))
  }
  found.push(...(await read(users.table, columns, { caller: admin, limit: mostCallers })))
  const whole = found.filter((fields) => columns.every((name) => fields[name] !== null))
  return [...new Map(whole.map((fields) => [fields[key], fields])).values()].slice(0, mostCallers)
}

/** The column of the table itself that names the owner. */
function ownerColumn({ own }: TableAccess): string | undefined {
  const [name, value] = Object.entries(own ?? {})[0] ?? []
  return typeof value === 'string' ? name : undefined
}

async function sampleOf(
  { table, own, tenant }: TableAccess,
  callers: readonly Fields[],
  read: Read,
): Promise<TableSample | undefined> {
  const columns = keyColumns(table).map(({ name }) => name)
  const first = async (role: Probe, fields: Fields): Promise<RowKey | undefined> => {
    const caller: Caller = { kind: 'user', id: '', roles: [role], fields }
    return (await read(table, columns, { caller, limit: 1 }))[0]
  }
  const sampleFor = async (fields: Fields, found: RowKey | undefined): Promise<TableSample> => ({
    fields,
    own: found,
    ofTenant: tenant === undefined ? undefined : (found ?? (await first('staff', fields))),
    ofOthers: own === undefined ? undefined : await first('others', fields),
    ofStrangers: tenant === undefined ? undefined : await first('strangers', fields),
  })
  for (const fields of callers) {
    const found = await first('user', fields)
    if (found !== undefined) return await sampleFor(fields, found)
  }
  for (const fields of tenant === undefined ? [] : callers) {
    const ofTenant = await first('staff', fields)
    if (ofTenant !== undefined) return await sampleFor(fields, undefined)
  }
  return undefined
}
