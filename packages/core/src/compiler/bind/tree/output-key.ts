import type { Node } from '@pgsql/types'
import { bindError, positioned } from '../../sql/bind-error.ts'
import type { OutputColumn } from './bound-query.ts'
import type { OutputReference } from './expression.ts'

/** The clauses whose keys may be result columns, as errors call them. */
export type KeyClause = 'ORDER BY' | 'GROUP BY' | 'DISTINCT ON'

/**
 * The result column that a key names by position or by name; undefined when it is neither.
 *
 * @param isSame are two columns of the same name one? Then the name is not ambiguous.
 * @throws {GatewayError} `badRequest` for a position that does not exist, an ambiguous name or another constant.
 */
export function outputKey(
  node: Node,
  columns: readonly OutputColumn[],
  clause: KeyClause,
  isSame: (left: number, right: number) => boolean = () => false,
): OutputReference | undefined {
  if ('A_Const' in node) {
    const { ival, isnull, location } = node.A_Const
    if (ival === undefined || isnull === true) {
      const message = `non-integer constant in ${clause}`
      throw bindError(message, { sqlState: '42601', position: location })
    }
    return outputAt(ival.ival ?? 0, columns, clause, location)
  }
  const name = plainName(node)
  if (name === undefined || !('ColumnRef' in node)) return undefined
  const first = columns.findIndex((column) => column.name === name)
  const { location } = node.ColumnRef
  if (first < 0) return undefined
  const isAmbiguous = columns.some(
    (column, i) => i > first && column.name === name && !isSame(first, i),
  )
  if (isAmbiguous) {
    throw bindError(`${clause} "${name}" is ambiguous`, { sqlState: '42702', position: location })
  }
  return reference(first, columns, location)
}

/** `x`, as opposed to `t.x`. */
export function plainName(node: Node): string | undefined {
  if (!('ColumnRef' in node)) return undefined
  const [field, ...others] = node.ColumnRef.fields ?? []
  return field && 'String' in field && others.length === 0 ? (field.String.sval ?? '') : undefined
}

function outputAt(
  ordinal: number,
  columns: readonly OutputColumn[],
  clause: KeyClause,
  position: number | undefined,
): OutputReference {
  if (ordinal >= 1 && ordinal <= columns.length) return reference(ordinal - 1, columns, position)
  const message = `${clause} position ${ordinal} is not in select list`
  throw bindError(message, { sqlState: '42P10', position })
}

function reference(
  index: number,
  columns: readonly OutputColumn[],
  position: number | undefined,
): OutputReference {
  const type = columns[index]?.type ?? { oid: 0, typmod: -1 }
  return { kind: 'output', index, type, ...positioned(position) }
}
