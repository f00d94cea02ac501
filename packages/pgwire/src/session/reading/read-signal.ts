/** @module `SELECT pg_cancel_backend(pid)` and `SELECT pg_terminate_backend(pid)`: they act on sessions of this server. */

import { calledFunctions } from '../../syntax/called-functions.ts'
import { listInBrackets, textInBrackets } from '../../syntax/nested-text.ts'
import { statementRelations } from '../../syntax/statement-relations.ts'
import {
  type Fields,
  fieldsOf,
  listOf,
  nodeOf,
  stringNodes,
  textOf,
} from '../../syntax/syntax-node.ts'
import type { SessionCommand, StatementText } from '../statements/client-statement.ts'

const signals: ReadonlyMap<string | undefined, 'cancel' | 'terminate'> = new Map([
  ['pg_cancel_backend', 'cancel'],
  ['pg_terminate_backend', 'terminate'],
])

/** Is it the name of one of the two functions? */
export function isSignal(name: string): boolean {
  return signals.has(name)
}

/** Functions that take an advisory lock. Run on the catalog, the lock would be visible to all callers. */
export const advisoryLock: RegExp = /^pg_(?:try_)?advisory_(?:xact_)?lock(?:_shared)?$/

function isUnsupportedInside(name: string): boolean {
  return isSignal(name) || advisoryLock.test(name) || name === 'set_config'
}

/** The fields of a SELECT without a table; it has no others. */
const expectedFields: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])

/** A SELECT that is a single call, of one row. The catalog computes the process id: `select (pg_backend_pid())::int4`. */
export function readSignal(
  tree: unknown,
  select: Fields,
  { sql, offset }: Pick<StatementText, 'sql' | 'offset'>,
): SessionCommand | undefined {
  if (!/^\s*select\b/i.test(sql)) return undefined
  if (Object.keys(select).some((field) => !expectedFields.has(field))) return undefined
  const [target, more] = listOf(select['targetList'])
  const { fields } = nodeOf(target)
  const call = fieldsOf(fieldsOf(fields['val'])['FuncCall'])
  const path = stringNodes(call['funcname'])
  const name = path.at(-1)
  const signal = signals.get(name)
  if (signal === undefined || name === undefined || more !== undefined) return undefined
  if (path.length > 1 && path[0] !== 'pg_catalog') return undefined
  const args = listOf(call['args'])
  if (args.length !== 1 && !(signal === 'terminate' && args.length === 2)) return undefined
  // Tables of a connection are no part of the catalog, and the catalog refuses these functions.
  if (statementRelations(tree).length > 0) return undefined
  if ([...calledFunctions(args)].some(isUnsupportedInside)) return undefined
  const [pid = ''] = listInBrackets(sql)
  const start = offset + textInBrackets(sql).offset
  return {
    kind: 'signal',
    signal,
    column: textOf(fields['name']) ?? name,
    statement: { kind: 'catalog', sql: `${opening}${pid})::int4`, offset: start - opening.length },
  }
}

const opening = 'select ('
