/** @module SET and RESET. */
import { GatewayError } from '@engine/core'
import {
  type Fields,
  fieldsOf,
  listOf,
  literalOf,
  nodeOf,
  textOf,
} from '../../syntax/syntax-node.ts'
import { quoteName } from '../settings/name-list.ts'
import { parseBoolean } from '../settings/parse-setting.ts'
import { invalidValue } from '../settings/setting-error.ts'
import type { SessionCommand, SetTag, TransactionModes } from '../statements/client-statement.ts'
import { unsupported } from '../statements/refused-statement.ts'
import { isolationLevel, transactionModes } from './read-transaction.ts'

/** @throws {GatewayError} 22023 for a value that is not allowed, 0A000. */
export function readVariableSet(fields: Fields): SessionCommand {
  const name = (textOf(fields['name']) ?? '').toLowerCase()
  const isLocal = fields['is_local'] === true
  switch (fields['kind']) {
    case 'VAR_SET_VALUE':
      return setting(name, settingText(name, listOf(fields['args'])), isLocal, 'SET')
    case 'VAR_SET_DEFAULT':
      return setting(name, undefined, isLocal, 'SET')
    case 'VAR_RESET':
      return setting(name, undefined, isLocal, 'RESET')
    case 'VAR_RESET_ALL':
      return { kind: 'resetAll' }
    case 'VAR_SET_MULTI':
      return setMany(name, fields)
    default:
      throw unsupported('SET FROM CURRENT is not supported')
  }
}

function setMany(name: string, fields: Fields): SessionCommand {
  switch (name) {
    case 'transaction':
      return { kind: 'setTransaction', modes: transactionModes(fields['args']), tag: 'SET' }
    case 'session characteristics':
      return { kind: 'setSessionCharacteristics', modes: transactionModes(fields['args']) }
    default:
      throw unsupported('SET TRANSACTION SNAPSHOT is not supported')
  }
}

function setting(
  name: string,
  value: string | undefined,
  isLocal: boolean,
  tag: SetTag,
): SessionCommand {
  const modes = value === undefined ? undefined : modesOf(name, value)
  if (modes !== undefined) return { kind: 'setTransaction', modes, tag }
  return { kind: 'set', name, value, isLocal, tag }
}

const noModes: TransactionModes = {
  isReadOnly: undefined,
  isolation: undefined,
  isDeferrable: undefined,
}

/** `SET transaction_isolation TO …` means the same as SET TRANSACTION. */
function modesOf(name: string, value: string): TransactionModes | undefined {
  switch (name) {
    case 'transaction_isolation': {
      const isolation = isolationLevel(value)
      if (isolation === undefined) throw invalidValue(name, value)
      return { ...noModes, isolation }
    }
    case 'transaction_read_only':
      return { ...noModes, isReadOnly: parseBoolean(name, value) }
    case 'transaction_deferrable':
      return { ...noModes, isDeferrable: parseBoolean(name, value) }
    default:
      return undefined
  }
}

/** Settings that are lists; of those that are lists of names, each is spelled as a name. */
const lists: ReadonlySet<string> = new Set(['datestyle', 'log_destination'])
const nameLists: ReadonlySet<string> = new Set(['search_path', 'temp_tablespaces'])

function settingText(name: string, values: readonly unknown[]): string {
  if (nameLists.has(name)) return values.map((value) => quoteName(valueText(value))).join(', ')
  const [first] = values
  if (values.length > 1 && !lists.has(name)) {
    throw new GatewayError('invalidParameter', `SET ${name} takes only one argument`, {
      sqlState: '22023',
    })
  }
  return values.length > 1 ? values.map(valueText).join(', ') : valueText(first)
}

function valueText(tree: unknown): string {
  const { kind, fields } = nodeOf(tree)
  // `INTERVAL '+05:30' HOUR TO MINUTE`, which only SET TIME ZONE takes.
  if (kind === 'TypeCast') return `interval '${valueText(fieldsOf(fields)['arg'])}'`
  const value = literalOf(tree)
  return value === undefined || value.type === 'null' ? '' : value.text
}
