/** @module A SELECT that is a single call of a built-in function, of one row: some of these are commands of the session. */
import { calledFunctions } from '../../syntax/called-functions.ts'
import { statementRelations } from '../../syntax/statement-relations.ts'
import {
  type Fields,
  fieldsOf,
  listOf,
  nodeOf,
  stringNodes,
  textOf,
} from '../../syntax/syntax-node.ts'

export interface OnlyCall {
  readonly name: string
  readonly argumentCount: number
  /** Functions that its arguments call. */
  readonly inside: ReadonlySet<string>
  /** The name of the result's column. */
  readonly column: string
}

/** The fields of a SELECT without a table; it has no others. */
const expectedFields: ReadonlySet<string> = new Set(['targetList', 'limitOption', 'op'])

/** Undefined for any other statement. */
export function readOnlyCall(tree: unknown, select: Fields, sql: string): OnlyCall | undefined {
  if (!/^\s*select\b/i.test(sql)) return undefined
  if (Object.keys(select).some((field) => !expectedFields.has(field))) return undefined
  const [target, more] = listOf(select['targetList'])
  const { fields } = nodeOf(target)
  const call = fieldsOf(fieldsOf(fields['val'])['FuncCall'])
  const path = stringNodes(call['funcname'])
  const name = path.at(-1)
  if (name === undefined || more !== undefined) return undefined
  if (path.length > 1 && path[0] !== 'pg_catalog') return undefined
  // Tables of a connection are no part of the catalog, which computes the arguments.
  if (statementRelations(tree).length > 0) return undefined
  const args = listOf(call['args'])
  return {
    name,
    argumentCount: args.length,
    inside: calledFunctions(args),
    column: textOf(fields['name']) ?? name,
  }
}
