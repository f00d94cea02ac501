/** @module One request of the main thread, answered on one connection. */

import { describeFault } from '../../errors/fault.ts'
import { readSchema, schemaVersionOf } from '../../introspection/read-schema.ts'
import type { Program } from '../program.ts'
import {
  type ExecuteRequest,
  isPartOfTransaction,
  type Reply,
  type Request,
} from '../workers/messages.ts'
import { answerGroup } from './answer-group.ts'
import { executeAsBound } from './execute-as-bound.ts'
import type { Outcome, ProgramCall } from './execute-program.ts'
import type { Connection } from './open-connection.ts'
import { orphansOf } from './orphans.ts'
import { runRequest } from './run-request.ts'
import { begin, commit, moveSavepoint, rollback } from './transaction.ts'
import { whileBusy } from './while-busy.ts'

/**
 * Never throws. After a failure no transaction is open, unless the request was part of one: then the main thread decides what to
 * do with it.
 */
export function answerRequest(
  connection: Connection,
  request: Request,
  programOf: (program: Program | number) => Program,
): Reply {
  try {
    switch (request.kind) {
      case 'execute':
        return execute(connection, request, programOf(request.program))
      case 'group':
        return answerGroup(connection, request.members, programOf)
      case 'begin':
        begin(connection, request.isWrite)
        return { kind: 'done' }
      case 'commit':
        commit(connection)
        return { kind: 'done' }
      case 'rollback':
        rollback(connection)
        return { kind: 'done' }
      case 'savepoint':
      case 'rollBackTo':
      case 'releaseSavepoint':
        moveSavepoint(connection, request)
        return { kind: 'done' }
      case 'orphans':
        return { kind: 'orphans', orphans: orphansOf(connection) }
      case 'introspect':
        return inTransaction(connection, false, () => introspect(connection, request.knownVersion))
      case 'schemaVersion':
        return { kind: 'schemaVersion', version: schemaVersionOf(connection.database) }
      case 'ping':
        whileBusy(connection, () => connection.prepare('select 1 from sqlite_schema limit 1').get())
        return { kind: 'done' }
    }
  } catch (error) {
    if (!isPartOfTransaction(request)) rollback(connection)
    return { kind: 'failed', fault: describeFault(error) }
  }
}

function introspect({ database }: Connection, knownVersion: number | undefined): Reply {
  const version = schemaVersionOf(database)
  if (version === knownVersion) return { kind: 'done' }
  return { kind: 'schema', facts: readSchema(database) }
}

function execute(connection: Connection, request: ExecuteRequest, program: Program): Reply {
  const run = () => runRequest(connection, request, program)
  if (request.inTransaction) return run()
  if (program.needsTransaction) return inTransaction(connection, program.isWrite, run)
  return whileBusy(connection, run)
}

function inTransaction<T>(connection: Connection, isWrite: boolean, body: () => T): T {
  begin(connection, isWrite)
  const result = body()
  commit(connection)
  return result
}

/** Characters that an answer of the main thread keeps as text: so much goes to the client in one text with its head. */
const longestText = 16_384

/** The same without a reply: for a statement that needs no transaction, on a connection of the main thread. */
export function executeDirectly(
  connection: Connection,
  call: ProgramCall,
  schemaVersion: number | undefined,
): Outcome {
  return executeAsBound(connection, call, schemaVersion, longestText)
}
