/** @module Passes each command of the session to its handler. */

import {
  discard,
  resetAll,
  setConfig,
  setSetting,
  showSetting,
} from '../execute/setting-commands.ts'
import type { Prepared } from '../parts/prepared.ts'
import type { BoundParameters } from '../results/bound-parameters.ts'
import type { Completion } from '../results/completion.ts'
import { plainCompletion } from '../results/completion.ts'
import type { RowSink } from '../results/row-sink.ts'
import type { CommandParts } from './command-parts.ts'
import { runCopyIn } from './copy-in.ts'
import { runCopyOut } from './copy-out.ts'
import { closeCursor, declareCursor, fetchRows } from './cursor-commands.ts'
import { explain } from './explain.ts'
import { notify, notifyByCall } from './notify.ts'
import { deallocate, executePrepared, prepareByName } from './prepared-commands.ts'
import { signalSession } from './signal-session.ts'
import { sleepByCall } from './sleep.ts'
import { runTransactionCommand } from './transaction-commands.ts'

export async function runCommand(
  parts: CommandParts,
  { command, query, statement }: Extract<Prepared, { readonly kind: 'command' }>,
  bound: BoundParameters,
  sink: RowSink,
): Promise<Completion> {
  switch (command.kind) {
    case 'begin':
    case 'commit':
    case 'rollback':
    case 'savepoint':
    case 'rollbackTo':
    case 'release':
    case 'setTransaction':
    case 'setSessionCharacteristics':
      return runTransactionCommand(parts, command)
    case 'set':
      return setSetting(parts, command)
    case 'setConfig':
      return setConfig(parts, command, sink)
    case 'resetAll':
      return resetAll(parts)
    case 'show':
      return showSetting(parts, command.name, sink)
    case 'discard':
      return discard(parts, command.what)
    case 'prepare':
      return prepareByName(parts, command)
    case 'execute':
      return executePrepared(parts, command, bound, sink)
    case 'deallocate':
      return deallocate(parts, command.name)
    case 'declareCursor':
      return declareCursor(parts, command, query, bound)
    case 'fetch':
      return fetchRows(parts, command, sink)
    case 'closeCursor':
      return closeCursor(parts, command.name)
    case 'copyOut':
      return runCopyOut(parts, command)
    case 'copyIn':
      return runCopyIn(parts, command)
    case 'explain':
      return explain(parts, command, query, bound, sink)
    case 'signal':
      return signalSession(parts, command, query, bound, sink)
    case 'listen':
      await parts.listens.listen(command.channel, statement.sql)
      return plainCompletion('LISTEN')
    case 'unlisten':
      parts.listens.unlisten(command.channel)
      return plainCompletion('UNLISTEN')
    case 'notify':
      await notify(parts, command, statement.sql)
      return plainCompletion('NOTIFY')
    case 'sleep':
      if (query === undefined) throw new Error('a call of pg_sleep() has arguments')
      return sleepByCall(parts, command, { query, bound, sql: statement.sql }, sink)
    case 'notifyCall':
      return notifyByCall(parts, { command, query, bound, sql: statement.sql }, sink)
  }
}
