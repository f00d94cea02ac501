/** @module An INSERT of one list of VALUES with a set-returning function: PostgreSQL inserts the rows of a SELECT with this list. */
import type { FuncCall, Node, SelectStmt } from '@pgsql/types'
import type { TypeSystem } from '../../sql-types/system/type-system.ts'
import { valuesRows } from '../select/bind-values.ts'

/** `values (generate_series(1, 3), 'a')` as `select generate_series(1, 3), 'a'`; undefined for every other VALUES. */
export function rowsOfCalls(select: SelectStmt, types: TypeSystem): SelectStmt | undefined {
  if (select.valuesLists?.length !== 1) return undefined
  const [row = []] = valuesRows(select)
  if (row.some((node) => 'SetToDefault' in node)) return undefined
  if (!row.some((node) => callsSet(node, types))) return undefined
  return {
    targetList: row.map((val): Node => ({ ResTarget: { val } })),
    op: 'SETOP_NONE',
    limitOption: 'LIMIT_OPTION_DEFAULT',
  }
}

/** Outside of subqueries, which have rows of their own. */
function callsSet(syntax: unknown, types: TypeSystem): boolean {
  if (typeof syntax !== 'object' || syntax === null || 'SubLink' in syntax) return false
  if ('FuncCall' in syntax && isSetReturning(syntax.FuncCall as FuncCall, types)) return true
  return Object.values(syntax).some((part) => callsSet(part, types))
}

function isSetReturning({ funcname = [] }: FuncCall, types: TypeSystem): boolean {
  const last = funcname.at(-1)
  const name = last !== undefined && 'String' in last ? last.String.sval : undefined
  return name !== undefined && types.functionsNamed(name).some(({ returnsSet }) => returnsSet)
}
