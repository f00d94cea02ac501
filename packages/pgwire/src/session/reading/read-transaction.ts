/** @module BEGIN, COMMIT, ROLLBACK, savepoints, and SET commands about transactions. */
import type { IsolationLevel } from '@engine/core/adapter'
import { type Fields, fieldsOf, listOf, literalOf, textOf } from '../../syntax/syntax-node.ts'
import type { SessionCommand, TransactionModes } from '../statements/client-statement.ts'

/** Undefined for two-phase commit. */
export function readTransaction(fields: Fields): SessionCommand | undefined {
  const chain = fields['chain'] === true
  const name = textOf(fields['savepoint_name']) ?? ''
  switch (fields['kind']) {
    case 'TRANS_STMT_BEGIN':
      return { kind: 'begin', modes: transactionModes(fields['options']), tag: 'BEGIN' }
    case 'TRANS_STMT_START':
      return { kind: 'begin', modes: transactionModes(fields['options']), tag: 'START TRANSACTION' }
    case 'TRANS_STMT_COMMIT':
      return { kind: 'commit', chain }
    case 'TRANS_STMT_ROLLBACK':
      return { kind: 'rollback', chain }
    case 'TRANS_STMT_SAVEPOINT':
      return { kind: 'savepoint', name }
    case 'TRANS_STMT_ROLLBACK_TO':
      return { kind: 'rollbackTo', name }
    case 'TRANS_STMT_RELEASE':
      return { kind: 'release', name }
    default:
      return undefined
  }
}

/** A list of `DefElem`; the last value counts. */
export function transactionModes(options: unknown): TransactionModes {
  const said = new Map<string, string>()
  for (const option of listOf(options)) {
    const { defname, arg } = fieldsOf(fieldsOf(option)['DefElem'])
    const value = literalOf(arg)
    if (value !== undefined && value.type !== 'null') said.set(textOf(defname) ?? '', value.text)
  }
  return {
    isReadOnly: flag(said.get('transaction_read_only')),
    isolation: said.get('transaction_isolation') as IsolationLevel | undefined,
    isDeferrable: flag(said.get('transaction_deferrable')),
  }
}

function flag(value: string | undefined): boolean | undefined {
  return value === undefined ? undefined : value === '1'
}

const levels: ReadonlySet<string> = new Set([
  'read uncommitted',
  'read committed',
  'repeatable read',
  'serializable',
])

/** Undefined for an unknown level. */
export function isolationLevel(text: string): IsolationLevel | undefined {
  const level = text.toLowerCase()
  return levels.has(level) ? (level as IsolationLevel) : undefined
}
