/**
 * @module Group commit: writes that waited for the writer share one transaction, and one wait for the disk. Each has a savepoint,
 * so that a failure takes back only its own work; none is answered before the commit.
 */

import { describeFault, type Fault } from '../../errors/fault.ts'
import { schemaVersionOf } from '../../introspection/read-schema.ts'
import type { Program } from '../program.ts'
import type { GroupMember, Reply } from '../workers/messages.ts'
import type { Connection } from './open-connection.ts'
import { hasDeferrableKeys } from './orphans.ts'
import { runRequest } from './run-request.ts'
import { begin, commit, finish, moveSavepoint, rollback } from './transaction.ts'

interface Member {
  readonly index: number
  /** In milliseconds of `performance.now()`. */
  readonly deadline: number
  run(): Reply
}

/** Never throws after the programs are known. No transaction is open afterwards. */
export function answerGroup(
  connection: Connection,
  members: readonly GroupMember[],
  programOf: (program: Program | number) => Program,
): Reply {
  const start = performance.now()
  const programs = members.map(({ request }) => programOf(request.program))
  const group = programs.map((program, index): Member => {
    const { request, timeoutMs = 0 } = members[index] ?? {}
    return {
      index,
      deadline: start + timeoutMs,
      run: () => runRequest(connection, request as GroupMember['request'], program),
    }
  })
  const isShared = !mayFailAtCommit(connection)
  const replies =
    (isShared ? together(connection, group) : undefined) ?? oneByOne(connection, group)
  return { kind: 'group', replies, isShared }
}

/** Undefined: nothing has happened, and each member has to run in a transaction of its own. */
function together(connection: Connection, group: readonly Member[]): readonly Reply[] | undefined {
  const { database, interrupt } = connection
  const untilAllAreLate = Math.max(...group.map(({ deadline }) => deadline))
  interrupt.start(untilAllAreLate - performance.now())
  try {
    begin(connection, true)
    // Another process may have changed the schema meanwhile.
    if (mayFailAtCommit(connection)) {
      rollback(connection)
      return undefined
    }
    const replies: Reply[] = []
    for (const member of group) {
      if (interrupt.isStopped()) break
      replies.push(inSavepoint(connection, member))
      // RAISE(ROLLBACK), ON CONFLICT ROLLBACK and a full disk end the whole transaction.
      if (!database.inTransaction) return undefined
    }
    interrupt.start(untilAllAreLate - performance.now())
    commit(connection)
    return replies
  } catch (error) {
    rollback(connection)
    return group.map(() => failed(describeFault(error)))
  }
}

const savepoint = 'member'

function inSavepoint(connection: Connection, { index, deadline, run }: Member): Reply {
  const { database, interrupt } = connection
  interrupt.start(deadline - performance.now(), index)
  moveSavepoint(connection, { kind: 'savepoint', name: savepoint })
  try {
    const reply = run()
    interrupt.keepMember()
    moveSavepoint(connection, { kind: 'releaseSavepoint', name: savepoint })
    return reply
  } catch (error) {
    if (database.inTransaction) {
      moveSavepoint(connection, { kind: 'rollBackTo', name: savepoint })
      moveSavepoint(connection, { kind: 'releaseSavepoint', name: savepoint })
    }
    return failed(describeFault(error))
  }
}

/** Each in a transaction of its own. Some are committed before the others have run, so that only single members can be stopped. */
function oneByOne(connection: Connection, group: readonly Member[]): readonly Reply[] {
  try {
    connection.interrupt.start(Number.POSITIVE_INFINITY)
    connection.interrupt.commit()
  } catch (error) {
    return group.map(() => failed(describeFault(error)))
  }
  return group.map((member) => alone(connection, member))
}

function alone(connection: Connection, { index, deadline, run }: Member): Reply {
  const { interrupt } = connection
  try {
    interrupt.start(deadline - performance.now(), index)
    begin(connection, true)
    const reply = run()
    interrupt.keepMember()
    finish(connection)
    return reply
  } catch (error) {
    rollback(connection)
    return failed(describeFault(error))
  }
}

function failed(fault: Fault): Reply {
  return { kind: 'failed', fault }
}

const known = new WeakMap<Connection, { readonly version: number; readonly mayFail: boolean }>()

/** Foreign keys may be checked as late as the commit, which then fails: any member could be the reason. */
function mayFailAtCommit(connection: Connection): boolean {
  const version = schemaVersionOf(connection.database)
  const before = known.get(connection)
  if (before?.version === version) return before.mayFail
  const mayFail = hasDeferrableKeys(connection)
  known.set(connection, { version, mayFail })
  return mayFail
}
