/** @module `SELECT set_config('name', 'value', false)`, which drivers send in place of SET. */

import {
  type Fields,
  fieldsOf,
  listOf,
  literalOf,
  nodeOf,
  stringNodes,
  textOf,
} from '../../syntax/syntax-node.ts'
import type { SessionCommand } from '../statements/client-statement.ts'
import type { ConfigArgument, ConfigAssignment } from '../statements/config-assignment.ts'

/** The fields of a SELECT that only sets; it has no others. */
const expectedFields: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])

/**
 * The calls of a SELECT of one row; empty for any other SELECT. A call counts only when its arguments are literals or
 * parameters.
 */
export function configAssignments(select: Fields): readonly ConfigAssignment[] {
  if (Object.keys(select).some((field) => !expectedFields.has(field))) return []
  return listOf(select['targetList']).flatMap((target) => assignmentOf(target) ?? [])
}

/** A SELECT that is a single call with literals. */
export function readSetConfig(select: Fields): SessionCommand | undefined {
  const [target, more] = listOf(select['targetList'])
  const [assignment] = configAssignments(select)
  if (assignment === undefined || more !== undefined) return undefined
  const { name, value, isLocal } = assignment
  if (name.kind !== 'literal' || value.kind !== 'literal' || isLocal.kind !== 'literal') {
    return undefined
  }
  if (name.text === null || (isLocal.text !== 'true' && isLocal.text !== 'false')) return undefined
  return {
    kind: 'setConfig',
    name: name.text,
    value: value.text ?? undefined,
    isLocal: isLocal.text === 'true',
    column: textOf(fieldsOf(nodeOf(target).fields)['name']) ?? 'set_config',
  }
}

function assignmentOf(target: unknown): ConfigAssignment | undefined {
  const call = fieldsOf(fieldsOf(nodeOf(target).fields['val'])['FuncCall'])
  const path = stringNodes(call['funcname'])
  if (path.at(-1) !== 'set_config' || (path.length > 1 && path[0] !== 'pg_catalog'))
    return undefined
  const [name, value, isLocal, extra] = listOf(call['args']).map(argumentOf)
  if (name === undefined || value === undefined || isLocal === undefined) return undefined
  return extra === undefined ? { name, value, isLocal } : undefined
}

/** A cast of a literal or parameter to text or boolean changes nothing here. */
function argumentOf(tree: unknown): ConfigArgument | undefined {
  const { kind, fields } = nodeOf(tree)
  if (kind === 'TypeCast') return argumentOf(fields['arg'])
  if (kind === 'ParamRef') return { kind: 'parameter', number: Number(fields['number'] ?? 0) }
  const literal = literalOf(tree)
  if (literal === undefined) return undefined
  return { kind: 'literal', text: literal.type === 'null' ? null : literal.text }
}
