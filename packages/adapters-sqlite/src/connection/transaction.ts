/** @module Transactions on one connection. Whatever fails, the connection has no open transaction afterwards. */
import { isBusy } from './fault.ts'
import type { Connection } from './open-connection.ts'

/** The pause between two attempts to get a lock, where SQLite did not wait itself. In milliseconds. */
const pauseMs = 5

const pause = new Int32Array(new SharedArrayBuffer(4))

/** Repeats what fails because another process holds a lock, until the lock's time limit or the statement's. */
export function whileBusy<T>(connection: Connection, action: () => T): T {
  const giveUpAt = performance.now() + connection.lockTimeoutMs
  for (;;) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error) || performance.now() >= giveUpAt) throw error
    }
    connection.interrupt.check()
    Atomics.wait(pause, 0, 0, pauseMs)
  }
}

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

/** Safe to call at any time. */
export function rollback(connection: Connection): void {
  if (connection.database.inTransaction) run(connection, 'rollback')
}

function run({ prepare }: Connection, sql: string): void {
  prepare(sql).run()
}
