/** @module The extended query protocol: Parse, Bind, Describe, Execute, Close. */
import { GatewayError } from '@engine/core'
import { oids } from '@engine/core/values'
import { protocolViolation, wireError } from '../errors/wire-error.ts'
import type { FrontendMessage } from '../protocol/frontend-message.ts'
import type { FieldDescription } from '../protocol/message-writer.ts'
import { createBoundPortal } from './bound-portal.ts'
import {
  checkSameRows,
  describeAgain,
  fieldsOf,
  isOutdated,
  prepareStatement,
} from './execute/prepare-statement.ts'
import type { Prepared } from './parts/prepared.ts'
import type { SessionParts } from './parts/session-parts.ts'
import { readStatements } from './reading/read-statements.ts'
import {
  type BoundParameters,
  checkParameters,
  createParameterReader,
} from './results/bound-parameters.ts'
import { lateDescription } from './results/late-description.ts'
import { checkNotFailed, isFree } from './run-statement.ts'
import type { ClientStatement } from './statements/client-statement.ts'

type Message<Type extends FrontendMessage['type']> = Extract<
  FrontendMessage,
  { readonly type: Type }
>

/** @throws {GatewayError} errors of the statement or its name. */
export async function parse(
  parts: SessionParts,
  { name, sql, parameterOids }: Message<'parse'>,
): Promise<void> {
  const { statements, writer } = parts
  if (name === '') statements.delete('')
  const [statement = emptyStatement, second] = readStatements(sql)
  if (second !== undefined) {
    throw wireError('42601', 'cannot insert multiple commands into a prepared statement')
  }
  parts.at(statement)
  if (statement.kind !== 'empty') checkNotFailed(parts, statement)
  statements.add(name, await prepareStatement(parts, statement, parameterOids))
  writer.parseComplete()
}

const emptyStatement: ClientStatement = { sql: '', offset: 0, kind: 'empty' }

/**
 * Execute checks whether the tables are still the same as at Parse.
 *
 * @throws {GatewayError} 26000, 42P03, 08P01, and errors of the values.
 */
export function bind(parts: SessionParts, message: Message<'bind'>): Promise<void> | undefined {
  const prepared = parts.statements.get(message.statement)
  parts.at(prepared.statement)
  if (!isOutdated(parts, prepared) || parts.block.isFailed())
    return bindTo(parts, prepared, message)
  return describeAgain(parts, prepared, false).then((current) => {
    parts.statements.replace(message.statement, current)
    return bindTo(parts, current, message)
  })
}

function bindTo(
  parts: SessionParts,
  prepared: Prepared,
  message: Message<'bind'>,
): Promise<void> | undefined {
  checkParameters(message, prepared.parameterOids.length, message.statement)
  checkNotFailed(parts, prepared.statement)
  const closing = message.portal === '' ? parts.portals.close('') : undefined
  if (closing !== undefined) return closing.then(() => openPortal(parts, prepared, message))
  return openPortal(parts, prepared, message)
}

/** Values that do not fit may be meant for a table that was changed a moment before Parse: then they are read as it is now. */
function openPortal(
  parts: SessionParts,
  prepared: Prepared,
  message: Message<'bind'>,
): Promise<void> | undefined {
  try {
    addPortal(parts, prepared, message)
    return undefined
  } catch (error) {
    if (!(error instanceof GatewayError) || prepared.kind !== 'query' || !isAboutValue(error)) {
      throw error
    }
    return bindAgain(parts, prepared, message, error)
  }
}

function isAboutValue({ sqlState }: GatewayError): boolean {
  return sqlState?.startsWith('22') === true
}

async function bindAgain(
  parts: SessionParts,
  prepared: Extract<Prepared, { kind: 'query' }>,
  message: Message<'bind'>,
  error: GatewayError,
): Promise<void> {
  await parts.client.refreshOf(prepared.description.connection)
  if (!isOutdated(parts, prepared)) throw error
  const current = await describeAgain(parts, prepared, false)
  parts.statements.replace(message.statement, current)
  checkParameters(message, current.parameterOids.length, message.statement)
  addPortal(parts, current, message)
}

function addPortal(parts: SessionParts, prepared: Prepared, message: Message<'bind'>): void {
  const { portals, writer } = parts
  const name = message.portal
  portals.checkFree(name)
  const fields = fieldsOf(parts, prepared)
  // One format for each column: those of the description that the client has.
  if (prepared.kind === 'query' && message.resultFormats.length > 1) {
    checkSameRows(prepared.described, prepared.description)
  }
  checkFormats(message, fields)
  const { parameters, parameterFormats, resultFormats } = message
  const bound: BoundParameters = {
    parameters,
    parameterFormats,
    resultFormats,
    cells: readValues(parts, prepared, message),
  }
  portals.add(name, createBoundPortal(parts, { name, prepared, bound, fields }))
  writer.bindComplete()
}

function checkFormats(
  { resultFormats: { length } }: BoundParameters,
  fields: readonly FieldDescription[] = [],
): void {
  if (length <= 1 || length === fields.length) return
  throw protocolViolation(
    `bind message has ${length} result formats but query has ${fields.length} columns`,
  )
}

/**
 * @param isRunNext the next message runs a portal: until then the description of that portal can wait
 * @throws {GatewayError} 26000, 34000
 */
export function describe(
  parts: SessionParts,
  { of, name }: Message<'describe'>,
  isRunNext: boolean,
): Promise<void> | undefined {
  const { portals, statements } = parts
  if (of === 'portal') {
    const portal = portals.get(name, 'portal')
    parts.at(portal.statement)
    if (portal.fields !== undefined) checkNotFailed(parts, portal.statement)
    const fields = portal.describe()
    if (isRunNext && portal.mayChange === true && !portal.hasRun() && fields !== undefined) {
      parts.late.set(portal, lateDescription(parts.writer, fields))
    } else writeFields(parts, fields)
    return undefined
  }
  const prepared = statements.get(name)
  parts.at(prepared.statement)
  if (!isOutdated(parts, prepared) || parts.block.isFailed()) {
    describePrepared(parts, prepared)
    return undefined
  }
  return describeAgain(parts, prepared, true).then((current) => {
    statements.replace(name, current)
    describePrepared(parts, current)
  })
}

function describePrepared(parts: SessionParts, prepared: Prepared): void {
  const fields = fieldsOf(parts, prepared)
  if (fields !== undefined) checkNotFailed(parts, prepared.statement)
  parts.writer.parameterDescription(prepared.parameterOids)
  writeFields(parts, fields)
}

function writeFields(
  { writer }: SessionParts,
  fields: readonly FieldDescription[] | undefined,
): void {
  if (fields === undefined) writer.noData()
  else writer.rowDescription(fields)
}

/**
 * @param isLone no other statement belongs to the transaction, so this statement may be a transaction of its own
 * @throws {GatewayError} 34000, 55000, and errors of the statement.
 */
export async function execute(
  parts: SessionParts,
  { portal: name, maxRows }: Message<'execute'>,
  isLone: boolean,
): Promise<void> {
  const { block, portals, writer } = parts
  const described = parts.late.take()
  try {
    const portal = portals.get(name, 'portal')
    const late = described?.portal === portal ? described.description : undefined
    if (late === undefined) described?.description.finish()
    const { statement } = portal
    parts.at(statement)
    if (statement.kind === 'empty') {
      writer.emptyQueryResponse()
      return
    }
    checkNotFailed(parts, statement)
    if (block.isOpen()) block.share()
    else if (!isLone && !steersTransaction(statement)) block.beginImplicit()
    const admitted = parts.start(portal.hasRun() || isFree(statement))
    if (admitted === undefined) {
      await portal.execute(maxRows, late)
    } else {
      await admitted
      // The statement may have been closed.
      await portals.get(name, 'portal').execute(maxRows, late)
    }
  } finally {
    described?.description.finish()
  }
}

/** Commands that begin or end a transaction, or must not run in one. */
function steersTransaction(statement: ClientStatement): boolean {
  if (statement.kind !== 'command') return false
  const { kind } = statement.command
  return kind === 'begin' || kind === 'commit' || kind === 'rollback' || kind === 'discard'
}

export async function close(
  { portals, statements, writer }: SessionParts,
  { of, name }: Message<'close'>,
): Promise<void> {
  if (of === 'statement') statements.delete(name)
  else await portals.close(name)
  writer.closeComplete()
}

/** Refuses values that do not fit their types before anything runs. */
function readValues(
  { lookups }: SessionParts,
  prepared: Prepared,
  bound: BoundParameters,
): BoundParameters['cells'] {
  if (prepared.kind === 'query') return prepared.readParameters(bound, lookups.values())
  const query = prepared.kind === 'command' ? prepared.query : prepared
  if (query?.kind === 'query') query.readParameters(bound, lookups.values())
  if (query?.kind !== 'catalog' || bound.parameters.length === 0) return undefined
  const types = lookups.builtinTypes()
  const parameterTypes = query.parameterOids.map((oid) => ({
    oid: types.typeByOid(oid) === undefined ? oids.text : oid,
    typmod: -1,
  }))
  createParameterReader({ parameterTypes, types })(bound, lookups.values())
  return undefined
}
