/**
 * @module `SELECT pg_cancel_backend(pid)` and `SELECT pg_terminate_backend(pid)`, which act on sessions of this server, and
 * `SELECT pg_notify(channel, payload)`. Their arguments are a statement of
 * their own.
 */

import { listInBrackets, textInBrackets } from '../../syntax/nested-text.ts'
import type { Fields } from '../../syntax/syntax-node.ts'
import type { SessionCommand, StatementText } from '../statements/client-statement.ts'
import { tablelessStatement } from '../statements/tableless.ts'
import { type OnlyCall, readOnlyCall } from './only-call.ts'

const signals: ReadonlyMap<string | undefined, 'cancel' | 'terminate'> = new Map([
  ['pg_cancel_backend', 'cancel'],
  ['pg_terminate_backend', 'terminate'],
])

const notifying = 'pg_notify'

/** Is it the name of a function that is only supported by itself? */
export function isSignal(name: string): boolean {
  return signals.has(name) || name === notifying
}

/** Functions that take an advisory lock. Run on the catalog, the lock would be visible to all callers. */
export const advisoryLock: RegExp = /^pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?$/

function isUnsupportedInside(name: string): boolean {
  return isSignal(name) || advisoryLock.test(name) || name === 'set_config'
}

/** A SELECT that is a single call, of one row: `select pg_cancel_backend($1)`. */
export function readSignal(
  tree: unknown,
  select: Fields,
  text: Pick<StatementText, 'sql' | 'offset'>,
): SessionCommand | undefined {
  const call = readOnlyCall(tree, select, text.sql)
  if (call === undefined || [...call.inside].some(isUnsupportedInside)) return undefined
  return call.name === notifying ? notifyOf(call, text) : signalOf(call, text)
}

/** `select (pg_backend_pid())::int4` */
function signalOf(
  { name, argumentCount, column }: OnlyCall,
  { sql, offset }: Pick<StatementText, 'sql' | 'offset'>,
): SessionCommand | undefined {
  const signal = signals.get(name)
  if (signal === undefined) return undefined
  if (argumentCount !== 1 && !(signal === 'terminate' && argumentCount === 2)) return undefined
  const [pid = ''] = listInBrackets(sql)
  const start = offset + textInBrackets(sql).offset
  const statement = `${opening}${pid})::int4`
  return {
    kind: 'signal',
    signal,
    column,
    statement: tablelessStatement(statement, start - opening.length),
  }
}

/** `select ($1)::text, ($2)::text` */
function notifyOf(
  { argumentCount, column }: OnlyCall,
  { sql, offset }: Pick<StatementText, 'sql' | 'offset'>,
): SessionCommand | undefined {
  if (argumentCount !== 2) return undefined
  const [channel = '', payload = ''] = listInBrackets(sql)
  const start = offset + textInBrackets(sql).offset
  const statement = `${opening}${channel})::text, (${payload})::text`
  return {
    kind: 'notifyCall',
    column,
    statement: tablelessStatement(statement, start - opening.length),
  }
}

const opening = 'select ('
