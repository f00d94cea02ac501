import type { StatementAnswer } from '@engine/contract/admin-api'
import { type ReactNode, useMemo } from 'react'
import { Badge } from '../../components/badge.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { shortText } from '../../components/visible-text.ts'
import { isNumericType } from './numeric-types.ts'
import css from './result.module.css'

type Row = readonly unknown[]

/** The rows of an answer, as a grid. */
export function Result({
  answer,
  maxHeight,
}: {
  readonly answer: Pick<StatementAnswer, 'body' | 'rowCount'>
  readonly maxHeight?: number
}): ReactNode {
  const { rows, columns: described } = answer.body
  const columns = useMemo(
    () =>
      (described ?? []).map(
        ({ name, type }, index): TableColumn<Row> => ({
          id: `${index}`,
          header: (
            <span className={css['head']} title={`${shortText(name)}: ${type}`}>
              <bdi>{shortText(name, 40)}</bdi>
              <span className={css['type']}>{type}</span>
            </span>
          ),
          width: 'minmax(110px, 1fr)',
          isNumeric: isNumericType(type),
          isCode: true,
          cell: (row) => <Value name={name} value={row[index]} />,
        }),
      ),
    [described],
  )
  if (rows === undefined || columns.length === 0) {
    return (
      <EmptyState title={`${answer.rowCount} rows were written`}>
        The statement returns no rows; add <code>returning</code> to see what it stored.
      </EmptyState>
    )
  }
  return (
    <Table
      label="Result"
      columns={columns}
      rows={rows}
      rowKey={(_, index) => `${index}`}
      minWidth={columns.length * 130}
      {...(maxHeight === undefined ? {} : { maxHeight })}
      empty={
        <EmptyState title="No rows">
          Nothing matches, or this subject may see none of it: <Badge>Explain</Badge> says which.
        </EmptyState>
      }
    />
  )
}
