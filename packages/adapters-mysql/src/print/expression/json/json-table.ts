/** @module JSON_TABLE over the elements of a list. */
import { joinSql, type Sql, sql } from '@engine/core/print'
import type { PrintContext } from '../../print-context.ts'
import { lateralColumn } from '../binding/lateral-row.ts'

/**
 * An item of FROM: `json_table(<list>, '$[*]' columns (<columns>)) as <alias>`
 *
 * MySQL accepts no subquery in the argument: it becomes a column of a table before it,
 * `(lateral (select <list> as x1) as v1 join json_table(v1.x1, ...) as <alias>)`.
 */
export function jsonTable(list: Sql, columns: Sql, alias: Sql, context: PrintContext): Sql {
  const over = (value: Sql) =>
    sql`json_table(${listArgument(value, context)}, '$[*]' columns (${columns})) as ${alias}`
  if (context.traits.hasQueriesInJsonTable || !hasQuery(list)) return over(list)
  const { tables, column } = lateralColumn(
    { value: list, kind: 'document' },
    context.nextId(),
    context,
  )
  return sql`(${joinSql([...tables, over(column)], ' join ')})`
}

/** MySQL does not find a bare column of an outer query that is grouped by way of a temporary table. */
export function listArgument(list: Sql, { traits }: PrintContext): Sql {
  return traits.faults.outerColumnsInLists ? sql`coalesce(${list}, null)` : list
}

function hasQuery({ pieces }: Sql): boolean {
  return pieces.some((piece) => {
    if (typeof piece === 'string') return piece.includes('select ')
    return 'pieces' in piece && hasQuery(piece)
  })
}
