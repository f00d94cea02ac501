/** @module Savepoints by the client's names, and by the names on the database. */

import { GatewayError } from '../../foundation/errors.ts'
import type { GuardedSession } from '../guard/guarded-adapter.ts'

export interface Savepoints {
  /** Sets one; on the database only once a transaction is open there. */
  set(name: string, session: GuardedSession | undefined): Promise<void>
  /** @throws {GatewayError} 3B001 for an unknown name. */
  rollBackTo(name: string, session: GuardedSession | undefined): Promise<void>
  /** @throws {GatewayError} 3B001 for a name that is not there. */
  release(name: string, session: GuardedSession | undefined): Promise<void>
  /** The transaction has just begun on the database: earlier savepoints are set there now. */
  open(session: GuardedSession): Promise<void>
  clear(): void
}

interface Savepoint {
  readonly name: string
  /** `engine_3` */
  readonly native: string
}

export function createSavepoints(): Savepoints {
  /** Oldest first; the same name may occur several times. */
  let all: readonly Savepoint[] = []
  let count = 0

  const indexOf = (name: string): number => {
    const index = all.findLastIndex((savepoint) => savepoint.name === name)
    if (index >= 0) return index
    throw new GatewayError('badRequest', `savepoint "${name}" does not exist`, {
      sqlState: '3B001',
    })
  }
  const nativeAt = (index: number): string => all[index]?.native ?? ''

  return {
    set: async (name, session) => {
      const native = `engine_${count + 1}`
      if (session !== undefined) await commandsOf(session).savepoint(native)
      count += 1
      all = [...all, { name, native }]
    },
    rollBackTo: async (name, session) => {
      const index = indexOf(name)
      if (session !== undefined) await commandsOf(session).rollBackTo(nativeAt(index))
      all = all.slice(0, index + 1)
    },
    release: async (name, session) => {
      const index = indexOf(name)
      if (session !== undefined) await commandsOf(session).releaseSavepoint(nativeAt(index))
      all = all.slice(0, index)
    },
    open: async (session) => {
      for (const { native } of all) await commandsOf(session).savepoint(native)
    },
    clear: () => {
      all = []
      count = 0
    },
  }
}

type SavepointCommands = Required<
  Pick<GuardedSession, 'savepoint' | 'rollBackTo' | 'releaseSavepoint'>
>

function commandsOf({
  savepoint,
  rollBackTo,
  releaseSavepoint,
}: GuardedSession): SavepointCommands {
  if (savepoint === undefined || rollBackTo === undefined || releaseSavepoint === undefined) {
    throw new GatewayError('unsupported', 'This kind of database has no savepoints.', {
      sqlState: '0A000',
    })
  }
  return { savepoint, rollBackTo, releaseSavepoint }
}
