/** @module Transactions on one connection. */
import type { SavepointRequest } from '../workers/messages.ts'
import type { Connection } from './open-connection.ts'
import { whileBusy } from './while-busy.ts'

/** A write takes its lock at the start: so it cannot fail at the end because data that it read has changed. */
export function begin(connection: Connection, isWrite: boolean): void {
  if (isWrite) {
    whileBusy(connection, () => run(connection, 'begin immediate'))
    return
  }
  run(connection, 'begin')
  // The first read takes the snapshot.
  whileBusy(connection, () => connection.prepare('select 1 from sqlite_schema limit 1').get())
}

export function commit(connection: Connection): void {
  connection.interrupt.commit()
  finish(connection)
}

/** Commits a job, or a part of one, that can no longer be stopped. */
export function finish(connection: Connection): void {
  whileBusy(connection, () => run(connection, 'commit'))
}

const savepointCommands = {
  savepoint: 'savepoint',
  rollBackTo: 'rollback to',
  releaseSavepoint: 'release',
} as const

export function moveSavepoint(connection: Connection, { kind, name }: SavepointRequest): void {
  run(connection, `${savepointCommands[kind]} "${name}"`)
}

/** Safe to call at any time. */
export function rollback(connection: Connection): void {
  if (connection.database.inTransaction) run(connection, 'rollback')
}

function run({ prepare }: Connection, sql: string): void {
  prepare(sql).run()
}
