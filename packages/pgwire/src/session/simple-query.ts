/** @module The simple query protocol: a text of statements, answered one by one, and ReadyForQuery. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { runQuery } from './execute/run-query.ts'
import { findParameterizedQuery } from './parameterized-query.ts'
import type { SessionParts } from './parts/session-parts.ts'
import { readStatements } from './reading/read-statements.ts'
import { tagOf } from './results/completion.ts'
import { describingSink } from './results/row-sink.ts'
import { checkNotFailed, isFree, runStatement } from './run-statement.ts'
import type { ClientStatement } from './statements/client-statement.ts'

/**
 * Runs the statements of a text. Several are one transaction, unless they say otherwise.
 *
 * @throws {GatewayError} the error of the first statement that fails; the statements after it do not run
 */
export async function runSimpleQuery(parts: SessionParts, sql: string): Promise<void> {
  const { block, portals, statements, writer } = parts
  statements.delete('')
  const found = findParameterizedQuery(parts, sql)
  const parameterized = found instanceof Promise ? await found : found
  const texts = parameterized === undefined ? readStatements(sql) : [parameterized.statement]
  if (texts.length === 0) writer.emptyQueryResponse()
  for (const [i, statement] of texts.entries()) {
    if (i > 0) parts.running.next()
    if (i % statementsAtOnce === statementsAtOnce - 1) await yieldToEventLoop()
    parts.at(statement)
    checkNotFailed(parts, statement)
    const closing = portals.close('')
    if (closing !== undefined) await closing
    if (texts.length > 1 && !startsBlock(statement)) block.beginImplicit()
    block.share()
    const admitted = parts.start(isFree(statement))
    if (admitted !== undefined) await admitted
    const sink = describingSink(writer)
    const completion = await (parameterized === undefined
      ? runStatement(parts, statement, sink)
      : runQuery(parts, parameterized.run, sink))
    if (i === texts.length - 1) await block.endImplicit()
    writer.commandComplete(tagOf(completion))
    const draining = writer.drained()
    if (draining !== undefined) await draining
  }
  if (texts.length === 0) await block.endImplicit()
  if (!block.isOpen()) await portals.drop(0, true)
}

/** Statements that await nothing do not yield: after this number of statements, other connections get a turn. */
const statementsAtOnce = 50

/** The statement needs no implicit transaction: it begins one itself. */
function startsBlock(statement: ClientStatement): boolean {
  return statement.kind === 'command' && statement.command.kind === 'begin'
}
