/** @module Runs every kind of statement: of the engine, of the catalog, of the session. */

import { GatewayError } from '@engine/core'
import { forEachToken, type StatementDescription } from '@engine/core/session'
import { wireError } from '../errors/wire-error.ts'
import type { OpenedRows } from './commands/command-parts.ts'
import { runCommand } from './commands/run-command.ts'
import { checkSameRows, prepareStatement } from './execute/prepare-statement.ts'
import { computedNow, requestOf } from './execute/request-of.ts'
import { runCatalog } from './execute/run-catalog.ts'
import { openQuery, runQuery } from './execute/run-query.ts'
import type { Prepared } from './parts/prepared.ts'
import type { SessionParts } from './parts/session-parts.ts'
import { type BoundParameters, noParameters } from './results/bound-parameters.ts'
import type { Completion } from './results/completion.ts'
import { collectingSink, type RowSink, watchedSink } from './results/row-sink.ts'
import { bufferedRows } from './results/row-source.ts'
import type { ClientStatement } from './statements/client-statement.ts'
import { isForCatalog } from './statements/tableless.ts'

/** Runs a statement exactly as the client's text has it. */
export async function runStatement(
  parts: SessionParts,
  statement: ClientStatement,
  sink: RowSink,
): Promise<Completion> {
  switch (statement.kind) {
    case 'query':
      refuseParameters(statement)
      if (statement.isTableless === true) {
        return runPrepared(parts, await prepareStatement(parts, statement, []), noParameters, sink)
      }
      return runQuery(
        parts,
        { request: requestOf(parts.lookups.facts(), statement), params: [] },
        sink,
      )
    case 'catalog':
      refuseParameters(statement)
      return runCatalog(parts, statement, [], noParameters, sink)
    default:
      return runPrepared(parts, await prepareStatement(parts, statement, []), noParameters, sink)
  }
}

/** @throws {GatewayError} 42P02: a text without Bind has no values for `$1` */
function refuseParameters({ sql }: ClientStatement): void {
  if (!sql.includes('$')) return
  let found: number | undefined
  forEachToken(sql, (_kind, start, end) => {
    if (/^\$\d+$/.test(sql.slice(start, end))) found ??= start
  })
  if (found === undefined) return
  const [name = ''] = /^\$\d+/.exec(sql.slice(found)) ?? []
  throw new GatewayError('badRequest', `there is no parameter ${name}`, {
    sqlState: '42P02',
    position: [...sql.slice(0, found)].length + 1,
  })
}

/** What a database cannot compute of a statement without tables shows when it runs: SQLite has no NaN. An error ends a transaction. */
function mayAskCatalog({ block }: SessionParts, statement: ClientStatement): boolean {
  return statement.kind === 'query' && statement.isTableless === true && !block.isOpen()
}

/**
 * Runs a prepared statement to its end. The caller handles empty statements.
 *
 * @param mayDiffer the client gets the description with the rows, so that they may differ from the earlier one
 */
export async function runPrepared(
  parts: SessionParts,
  prepared: Prepared,
  bound: BoundParameters,
  sink: RowSink,
  mayDiffer = false,
): Promise<Completion> {
  switch (prepared.kind) {
    case 'empty':
      throw new Error('an empty statement has nothing to run')
    case 'query': {
      const { description, described } = prepared
      const request = computedNow(prepared.request, parts.lookups.facts())
      const params = prepared.readParameters(bound, parts.lookups.values())
      // The write is refused before it starts.
      if (!mayDiffer && description.isWrite && description.columns.length > 0) {
        const { client, running } = parts
        checkSameRows(described, await client.describe(request, running.signal()))
      }
      const check = mayDiffer
        ? undefined
        : (now: StatementDescription) => checkSameRows(described, now)
      const run = { request, params, check }
      if (!mayAskCatalog(parts, prepared.statement)) return await runQuery(parts, run, sink)
      const watched = watchedSink(sink)
      try {
        return await runQuery(parts, run, watched)
      } catch (error) {
        if (watched.isBegun() || !isForCatalog(prepared.statement, error)) throw error
        return runCatalog(parts, prepared.statement, prepared.parameterOids, bound, sink)
      }
    }
    case 'catalog':
      return runCatalog(parts, prepared.statement, prepared.parameterOids, bound, sink)
    case 'command':
      return runCommand(
        {
          ...parts,
          runPrepared: (other, values, where) => runPrepared(parts, other, values, where),
          openCursor: (other, values) => openPrepared(parts, other, values, true),
        },
        prepared,
        bound,
        sink,
      )
  }
}

/**
 * Opens a statement whose rows are fetched in pieces: a read of the engine continues while the transaction lasts; every
 * other statement runs to its end now.
 *
 * @param isCursor DECLARE opens it: WHERE CURRENT OF may name it
 */
export async function openPrepared(
  parts: SessionParts,
  prepared: Prepared,
  bound: BoundParameters,
  isCursor = false,
): Promise<OpenedRows> {
  if (prepared.kind === 'query' && !prepared.description.isWrite) {
    const { described } = prepared
    const request = computedNow(prepared.request, parts.lookups.facts())
    parts.block.beginImplicit()
    const opened = await openQuery(parts, {
      request,
      params: prepared.readParameters(bound, parts.lookups.values()),
      check: (now) => checkSameRows(described, now),
      isCursor,
    })
    return { ...opened, completion: { verb: 'SELECT', count: undefined } }
  }
  const sink = collectingSink()
  const completion = await runPrepared(parts, prepared, bound, sink)
  return { source: bufferedRows(sink.rows), shape: sink.shape(), completion }
}

/**
 * Runs before every statement: checks whether it may run now.
 *
 * @throws {GatewayError} 25P02 in a failed transaction, for every statement that does not end it
 */
export function checkNotFailed({ block }: SessionParts, statement: ClientStatement): void {
  if (!block.isFailed() || endsFailure(statement)) return
  throw wireError(
    '25P02',
    'current transaction is aborted, commands ignored until end of transaction block',
  )
}

/** Commands that only control the session are cheap, and no limit counts them. */
export function isFree(statement: ClientStatement): boolean {
  if (statement.kind !== 'command') return false
  switch (statement.command.kind) {
    case 'prepare':
    case 'execute':
    case 'declareCursor':
    case 'fetch':
    case 'explain':
    case 'copyOut':
    case 'copyIn':
    case 'signal':
    case 'listen':
    case 'notify':
    case 'notifyCall':
    case 'sleep':
      return false
    default:
      return true
  }
}

function endsFailure(statement: ClientStatement): boolean {
  if (statement.kind !== 'command') return false
  const { kind } = statement.command
  return kind === 'commit' || kind === 'rollback' || kind === 'rollbackTo'
}
