/** @module Transactions on one connection. */
import type { SavepointRequest } from '../workers/messages.ts'
import type { Connection } from './open-connection.ts'
import { whileBusy } from './while-busy.ts'

/** A write takes its lock at once: it can never find out at the end that it read what has changed since. */
export function begin(connection: Connection, isWrite: boolean): void {
  if (isWrite) {
    whileBusy(connection, () => run(connection, 'begin immediate'))
    return
  }
  run(connection, 'begin')
  // The snapshot is taken by the first read.
  whileBusy(connection, () => connection.prepare('select 1 from sqlite_schema limit 1').get())
}

export function commit(connection: Connection): void {
  connection.interrupt.commit()
  whileBusy(connection, () => run(connection, 'commit'))
}

const savepointCommands = {
  savepoint: 'savepoint',
  rollBackTo: 'rollback to',
  releaseSavepoint: 'release',
} as const

export function moveSavepoint({ database }: Connection, { kind, name }: SavepointRequest): void {
  database.exec(`${savepointCommands[kind]} "${name}"`)
}

/** Safe to call at any time. */
export function rollback(connection: Connection): void {
  if (connection.database.inTransaction) run(connection, 'rollback')
}

function run({ prepare }: Connection, sql: string): void {
  prepare(sql).run()
}
