/** @module Parse: determines the types of a statement's parameters and columns. Nothing runs. */

import { GatewayError } from '@engine/core'
import type { TypeSystem } from '@engine/core/catalog'
import type {
  ClientSession,
  DescribedColumn,
  SessionStatement,
  StatementDescription,
} from '@engine/core/session'
import type { Oid } from '@engine/core/values'
import type { CatalogNumbers } from '../../catalog/catalog-numbers.ts'
import { wireError } from '../../errors/wire-error.ts'
import type { FieldDescription } from '../../protocol/message-writer.ts'
import { showsTables } from '../../syntax/shows-tables.ts'
import type { ValueSettings } from '../../values/cell-format.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { createParameterReader } from '../results/bound-parameters.ts'
import { shapeOf } from '../results/shape-of-plan.ts'
import { sleepFields } from '../results/sleep-fields.ts'
import type { ClientStatement } from '../statements/client-statement.ts'
import { isForCatalog, isUnknownThere } from '../statements/tableless.ts'
import { catalogTimeoutMs } from './catalog-timeout.ts'
import { commandFields, commandQuery } from './command-fields.ts'
import { requestOf } from './request-of.ts'

/**
 * @param declaredOids as Parse has them: 0 or 705 (unknown) where the type is to be inferred
 * @throws {GatewayError} errors of the text, and missing rights
 */
export async function prepareStatement(
  parts: SessionParts,
  statement: ClientStatement,
  declaredOids: readonly number[],
): Promise<Prepared> {
  parts.at(statement)
  switch (statement.kind) {
    case 'empty':
      return { statement, kind: 'empty', parameterOids: [] }
    case 'refused':
      throw statement.error
    case 'query':
      return prepareOnDatabase(parts, statement, declaredOids)
    case 'catalog':
      return prepareCatalog(parts, statement, declaredOids)
    case 'command': {
      const { command } = statement
      const nested = commandQuery(command)
      const query = nested && (await prepareStatement(parts, nested, declaredOids))
      return {
        statement,
        kind: 'command',
        command,
        query,
        parameterOids: query?.parameterOids ?? declaredOids,
      }
    }
  }
}

async function prepareOnDatabase(
  parts: SessionParts,
  statement: ClientStatement,
  declaredOids: readonly number[],
): Promise<Prepared> {
  try {
    return await prepareQuery(parts, statement, declaredOids)
  } catch (error) {
    if (!isForCatalog(statement, error)) throw error
    try {
      return await prepareCatalog(parts, statement, declaredOids)
    } catch (fromCatalog) {
      throw isUnknownThere(fromCatalog) ? error : fromCatalog
    }
  }
}

async function prepareQuery(
  { client, lookups, running }: SessionParts,
  statement: ClientStatement,
  declaredOids: readonly number[],
): Promise<Prepared> {
  const oids = engineOids(client, declaredOids, lookups.numbers())
  const request = requestOf(lookups.facts(), statement, oids)
  const description = await client.describe(request, running.signal())
  const state = client.catalogState()
  // The catalog may have been read again meanwhile: the description is of its newest state.
  const numbers = lookups.numbers()
  const known = prepared.get(request)
  // Callers with other rights have another description, even where no numbers tell them apart.
  const isKnown = known?.prepared.description === description && known.numbers === numbers
  if (isKnown && known.prepared.state === state) return known.prepared
  const values = lookups.values()
  const made = queryOf({ statement, request, state, description, numbers, values })
  prepared.set(request, { numbers, prepared: made })
  return made
}

/** Returns whether a catalog has changed since the statement was described. */
export function isOutdated({ client }: SessionParts, prepared: Prepared): boolean {
  return prepared.kind === 'query' && prepared.state !== client.catalogState()
}

/**
 * The statement as it is now, for the client that prepared it before a catalog changed: values in binary form have the types that
 * the client knows.
 *
 * @param isDescribed the client gets the new description
 * @throws {GatewayError} errors of the text, and missing rights
 */
export async function describeAgain(
  parts: SessionParts,
  prepared: Prepared,
  isDescribed: boolean,
): Promise<Prepared> {
  if (prepared.kind !== 'query') return prepared
  const { client, lookups, running } = parts
  const { statement, described, request, parameterOids } = prepared
  const known = (oid: Oid) => oid < firstUserOid || isKnownType(client, oid)
  const current = {
    ...request,
    parameterOids: request.parameterOids.map((oid) => (known(oid) ? oid : 0)),
  }
  const description = await client.describe(current, running.signal())
  const state = client.catalogState()
  const numbers = lookups.numbers()
  const made = { statement, request: current, state, description, numbers }
  const values = lookups.values()
  return isDescribed
    ? queryOf({ ...made, values })
    : { ...queryOf({ ...made, values, described }), parameterOids }
}

function isKnownType(client: ClientSession, oid: Oid): boolean {
  return client.visible().connections.some(({ types }) => types.typeByOid(oid) !== undefined)
}

interface Remembered {
  readonly numbers: CatalogNumbers
  readonly prepared: PreparedStatement
}

type PreparedStatement = Extract<Prepared, { readonly kind: 'query' }>

/** The latest description of a request, in any session. */
const prepared = new WeakMap<SessionStatement, Remembered>()

function queryOf({
  statement,
  request,
  state,
  description,
  numbers,
  values,
  described = description,
}: {
  readonly statement: ClientStatement
  readonly request: SessionStatement
  readonly state: object
  readonly description: StatementDescription
  readonly described?: StatementDescription
  readonly numbers: CatalogNumbers
  readonly values: ValueSettings
}): PreparedStatement {
  const wireOid = (oid: Oid) => numbers.typeOid(description.connection, oid)
  return {
    statement,
    kind: 'query',
    request,
    state,
    description,
    described,
    fields: shapeOf(description, numbers, values).fields,
    readParameters: createParameterReader(description, wireOid, described),
    parameterOids: description.parameterTypes.map(({ oid }) => wireOid(oid)),
  }
}

function engineOids(
  client: ClientSession,
  declaredOids: readonly number[],
  numbers: CatalogNumbers,
): readonly number[] {
  if (declaredOids.every((oid) => oid < firstUserOid && oid !== unknownOid)) return declaredOids
  const connections = client.visible().connections.map(({ name }) => name)
  return declaredOids.map((oid) => engineOid(oid, connections, numbers))
}

const unknownOid = 705

/** PostgreSQL assigns OIDs to user-defined objects from this number on. */
const firstUserOid = 16_384

function engineOid(oid: number, connections: readonly string[], numbers: CatalogNumbers): number {
  if (oid === unknownOid) return 0
  if (oid < firstUserOid) return oid
  for (const connection of connections) {
    const found = numbers.engineTypeOid(connection, oid)
    if (found !== undefined) return found
  }
  throw noSuchType(oid)
}

function noSuchType(oid: number): GatewayError {
  return wireError('42704', `type with OID ${oid} does not exist`)
}

/** Only PostgreSQL's own OIDs: the catalog knows those of user-defined types. */
function isUnknownType(types: TypeSystem, oid: number): boolean {
  return oid !== 0 && oid < firstUserOid && types.typeByOid(oid) === undefined
}

async function prepareCatalog(
  { client, catalog, lookups, limits, running }: SessionParts,
  statement: ClientStatement,
  declaredOids: readonly number[],
): Promise<Prepared> {
  if (showsTables(statement.sql)) await client.refresh()
  const types = lookups.builtinTypes()
  const unknown = declaredOids.find((oid) => isUnknownType(types, oid))
  if (unknown !== undefined) throw noSuchType(unknown)
  const query = {
    sql: statement.sql,
    parameterOids: declaredOids,
    timeoutMs: catalogTimeoutMs(limits, running),
    signal: running.signal(),
  }
  const description = await catalog.describe(query, lookups.catalogScope())
  return { statement, kind: 'catalog', description, parameterOids: description.parameterOids }
}

/**
 * Fields of its rows, `format` 0; undefined for a statement without rows. As of now: objects named in commands may be
 * created and dropped.
 */
export function fieldsOf(
  parts: SessionParts,
  prepared: Prepared,
): readonly FieldDescription[] | undefined {
  switch (prepared.kind) {
    case 'empty':
      return undefined
    case 'query':
      return hasRows(prepared.description) ? prepared.fields : undefined
    case 'catalog':
      return prepared.description.fields
    case 'command':
      if (prepared.command.kind === 'sleep' && prepared.query !== undefined) {
        return sleepFields(fieldsOf(parts, prepared.query) ?? [], prepared.command.sleeps)
      }
      return commandFields(parts, prepared.command, (other) => fieldsOf(parts, other))
  }
}

/** A SELECT gives rows even when they have no columns. */
export function hasRows({ operation, columns }: StatementDescription): boolean {
  return operation === 'select' || columns.length > 0
}

/** Returns whether the description that the client got is still valid. */
export function checkSameRows(known: StatementDescription, now: StatementDescription): void {
  if (known === now || isSame(known.columns, now.columns)) return
  throw new GatewayError('unsupported', 'cached plan must not change result type', {
    sqlState: '0A000',
  })
}

function isSame(a: readonly DescribedColumn[], b: readonly DescribedColumn[]): boolean {
  return (
    a.length === b.length &&
    a.every(({ name, type }, i) => {
      const other = b[i]
      return (
        other?.name === name && other.type.oid === type.oid && other.type.typmod === type.typmod
      )
    })
  )
}
