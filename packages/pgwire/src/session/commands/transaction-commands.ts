/** @module BEGIN, COMMIT, ROLLBACK, savepoints, SET TRANSACTION. */

import { wireError } from '../../errors/wire-error.ts'
import type { SessionParts } from '../parts/session-parts.ts'
import { type Completion, plainCompletion } from '../results/completion.ts'
import type { SessionCommand } from '../statements/client-statement.ts'

type TransactionCommand = Extract<
  SessionCommand,
  {
    readonly kind:
      | 'begin'
      | 'commit'
      | 'rollback'
      | 'savepoint'
      | 'rollbackTo'
      | 'release'
      | 'setTransaction'
      | 'setSessionCharacteristics'
  }
>

export async function runTransactionCommand(
  parts: SessionParts,
  command: TransactionCommand,
): Promise<Completion> {
  const { block } = parts
  switch (command.kind) {
    case 'begin':
      if (!block.begin(command.modes)) {
        parts.warn('25001', 'there is already a transaction in progress')
      }
      return plainCompletion(command.tag)
    case 'commit':
      requireBlock(parts, 'COMMIT', command.chain)
      return plainCompletion(await block.commit(command.chain))
    case 'rollback':
      requireBlock(parts, 'ROLLBACK', command.chain)
      await block.rollBack(command.chain)
      return plainCompletion('ROLLBACK')
    case 'savepoint':
      await block.savepoint(command.name)
      return plainCompletion('SAVEPOINT')
    case 'rollbackTo':
      await block.rollBackTo(command.name)
      return plainCompletion('ROLLBACK')
    case 'release':
      await block.release(command.name)
      return plainCompletion('RELEASE')
    case 'setTransaction':
      if (block.isShared()) block.characterize(command.modes)
      else parts.warn('25P01', 'SET TRANSACTION can only be used in transaction blocks')
      return plainCompletion(command.tag)
    case 'setSessionCharacteristics':
      parts.settings.setSessionCharacteristics(command.modes)
      return plainCompletion('SET')
  }
}

/** @throws {GatewayError} 25P01 for AND CHAIN where there is nothing to chain to. */
function requireBlock({ block, warn }: SessionParts, what: string, chain: boolean): void {
  if (block.isExplicit()) return
  if (chain) throw wireError('25P01', `${what} AND CHAIN can only be used in transaction blocks`)
  warn('25P01', 'there is no transaction in progress')
}
