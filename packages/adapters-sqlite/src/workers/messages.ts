/** @module What the main thread and a worker thread tell each other. One request at a time; each gets one reply. */

import type { Outcome, ProgramCall } from '../connection/execute-program.ts'
import type { Fault } from '../connection/fault.ts'
import type { SchemaFacts } from '../introspection/schema-facts.ts'
import type { DatabaseLocation } from '../location.ts'
import type { Program } from '../program.ts'

/** What a worker is started with. */
export interface WorkerSetup {
  readonly location: DatabaseLocation
  readonly role: 'reader' | 'writer'
  readonly lockTimeoutMs: number
  readonly setup: string | undefined
  /** Shared memory, see `sharedWords`. */
  readonly state: Int32Array
}

export type Request =
  | ExecuteRequest
  | { readonly kind: 'begin'; readonly isWrite: boolean }
  | { readonly kind: 'commit' }
  | { readonly kind: 'rollback' }
  | SavepointRequest
  /** Asks for rows without the parents that their foreign keys name, where keys may be checked late. */
  | { readonly kind: 'orphans' }
  /** Answered with `done` when the schema still is what it was as `knownVersion`. */
  | { readonly kind: 'introspect'; readonly knownVersion: number | undefined }
  | { readonly kind: 'ping' }

/** Within a transaction that `begin` began, like its statements: what fails leaves the transaction open. */
export interface SavepointRequest {
  readonly kind: 'savepoint' | 'rollBackTo' | 'releaseSavepoint'
  /** Safe to be spelled into SQL. */
  readonly name: string
}

export interface ExecuteRequest extends Omit<ProgramCall, 'program'> {
  readonly kind: 'execute'
  /** The whole program, or its id when this worker has had it before. */
  readonly program: Program | number
  /** Within a transaction that `begin` began; else in one of its own where the program needs one. */
  readonly inTransaction: boolean
  /** What `introspect` found last; undefined when it never ran. */
  readonly schemaVersion: number | undefined
}

/** Is the request part of a transaction that goes on, if only to be rolled back, where the request fails? */
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
  /** How long the request may take from now on, in milliseconds. */
  readonly timeoutMs: number
  /** All programs that the worker has had are forgotten first. */
  readonly forget: boolean
}

export type Reply =
  | { readonly kind: 'rows'; readonly outcome: Outcome }
  | { readonly kind: 'schema'; readonly facts: SchemaFacts }
  | { readonly kind: 'done' }
  /** One text for each row and key; several rows may have the same. */
  | { readonly kind: 'orphans'; readonly orphans: readonly string[] }
  | { readonly kind: 'failed'; readonly fault: Fault }

/** The first message of a worker: it has opened its database, or it could not and ends. */
export type Greeting =
  | { readonly kind: 'ready' }
  | { readonly kind: 'refused'; readonly fault: Fault }
