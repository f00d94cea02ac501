/** @module The messages between the main thread and a worker thread. One request at a time; each gets one reply. */

import type { Fault } from '../../errors/fault.ts'
import type { SchemaFacts } from '../../introspection/schema-facts.ts'
import type { Outcome, ProgramCall } from '../connection/execute-program.ts'
import type { Synchronous } from '../connection/open-connection.ts'
import type { DatabaseLocation } from '../location.ts'
import type { Program } from '../program.ts'

/** The start data of a worker. */
export interface WorkerSetup {
  readonly location: DatabaseLocation
  readonly role: 'reader' | 'writer'
  readonly lockTimeoutMs: number
  readonly setup: string | undefined
  readonly synchronous: Synchronous
  /** Shared memory, see `sharedWords`. */
  readonly state: Int32Array
}

export type Request =
  | ExecuteRequest
  | GroupRequest
  | { readonly kind: 'begin'; readonly isWrite: boolean }
  | { readonly kind: 'commit' }
  | { readonly kind: 'rollback' }
  | SavepointRequest
  /** Requests the rows whose foreign keys have no parent, where keys may be deferred. */
  | { readonly kind: 'orphans' }
  /** The reply is `done` when the schema still has version `knownVersion`. */
  | { readonly kind: 'introspect'; readonly knownVersion: number | undefined }
  | { readonly kind: 'schemaVersion' }
  | { readonly kind: 'ping' }

/** Within an open transaction, like its statements: a failure leaves the transaction open. */
export interface SavepointRequest {
  readonly kind: 'savepoint' | 'rollBackTo' | 'releaseSavepoint'
  /** Safe to be part of SQL. */
  readonly name: string
}

export interface ExecuteRequest extends Omit<ProgramCall, 'program'> {
  readonly kind: 'execute'
  /** The whole program, or its id when this worker already received it. */
  readonly program: Program | number
  /** Within the transaction that `begin` opened; otherwise in one of its own if the program needs one. */
  readonly inTransaction: boolean
  /** The version of the schema that the statement was compiled for; undefined: any. */
  readonly schemaVersion: number | undefined
}

/** Writes that share a transaction. Each is done or failed by itself. */
export interface GroupRequest {
  readonly kind: 'group'
  readonly members: readonly GroupMember[]
}

export interface GroupMember {
  readonly request: ExecuteRequest
  /** The time limit from now on, in milliseconds. */
  readonly timeoutMs: number
}

/** Is the request part of a transaction that stays open after a failure, if only to be rolled back? */
export function isPartOfTransaction(request: {
  readonly kind: Request['kind']
  readonly inTransaction?: boolean
}): boolean {
  switch (request.kind) {
    case 'execute':
      return request.inTransaction === true
    case 'savepoint':
    case 'rollBackTo':
    case 'releaseSavepoint':
    case 'orphans':
      return true
    default:
      return false
  }
}

export interface Envelope {
  readonly request: Request
  /** The time limit of the request from now on, in milliseconds. */
  readonly timeoutMs: number
  /** The worker first forgets all programs that it has received. */
  readonly forget: boolean
}

export type Reply =
  /** `takenMs`: see `startRunTime`; without the commit. */
  | { readonly kind: 'rows'; readonly outcome: Outcome; readonly takenMs: number }
  /** `replies[i]` for `members[i]`. `isShared`: the schema allows members to share a transaction. */
  | { readonly kind: 'group'; readonly replies: readonly Reply[]; readonly isShared: boolean }
  | { readonly kind: 'schema'; readonly facts: SchemaFacts }
  | { readonly kind: 'schemaVersion'; readonly version: number }
  | { readonly kind: 'done' }
  /** One text for each row and key; several rows may have the same text. */
  | { readonly kind: 'orphans'; readonly orphans: readonly string[] }
  | { readonly kind: 'failed'; readonly fault: Fault }

/** The first message of a worker: it has opened its database, or it could not and will end. */
export type Greeting =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly fault: Fault }
