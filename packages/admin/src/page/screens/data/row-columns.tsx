/** @module The columns of a table of rows: sorted by the server, with links along foreign keys. */
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import type { TableColumn } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { shortText } from '../../components/visible-text.ts'
import { isNumericType } from '../query/numeric-types.ts'
import result from '../query/result.module.css'
import type { BrowsedTable } from './browsed-table.ts'
import css from './data.module.css'
import { addressOf, firstView, type View } from './view.ts'

export type Row = readonly unknown[]

/** @param described the columns of the answer, in their order. */
export function rowColumns(
  browsed: BrowsedTable,
  described: readonly { readonly name: string; readonly type: string }[],
  view: View,
  onView: (view: View) => void,
): readonly TableColumn<Row>[] {
  return described.map(({ name: column, type }, index) => {
    const sort = view.sort?.column === column ? view.sort : undefined
    return {
      id: column,
      header: (
        <span className={result['head']} title={`${shortText(column)}: ${type}`}>
          <bdi>{shortText(column, 40)}</bdi>
          <span className={result['type']}>{type}</span>
        </span>
      ),
      width: 'minmax(130px, 1fr)',
      isNumeric: isNumericType(type),
      isCode: true,
      sort: {
        direction: sort === undefined ? undefined : sort.isDown ? 'down' : 'up',
        onSort: () => onView({ ...view, page: 1, sort: nextSort(column, sort) }),
      },
      cell: (row) => <Cell {...browsed} column={column} value={row[index]} />,
    }
  })
}

/** Up, down, and not sorted again. */
function nextSort(column: string, sort: View['sort']): View['sort'] {
  if (sort === undefined) return { column, isDown: false }
  return sort.isDown ? undefined : { column, isDown: true }
}

function Cell({
  catalog,
  connection,
  table,
  subject,
  column,
  value,
}: BrowsedTable & { readonly column: string; readonly value: unknown }): ReactNode {
  const reference = table.foreignKeys?.find(
    (each) => each.columns.length === 1 && each.columns[0] === column,
  )
  const [target] = reference?.references ?? []
  const isKnown =
    reference !== undefined &&
    catalog.connections[connection]?.tables[reference.table] !== undefined
  if (!isKnown || target === undefined || value === null || value === undefined) {
    return <Value name={column} value={value} />
  }
  const filters = [{ column: target, operator: '=', value: String(value) }] as const
  return (
    <Link
      className={css['reference']}
      title={shortText(`${reference.table}.${target}`)}
      href={addressOf(connection, reference.table, { ...firstView, filters }, subject)}
      onClick={(event) => event.stopPropagation()}
    >
      <bdi>{shortText(String(value), 60)}</bdi>
    </Link>
  )
}
