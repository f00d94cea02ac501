/** @module Rows of a table, a page at a time: filtered, sorted, opened and inserted. */
import { FlaskConical, ListFilter, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import type { ApiError } from '../../api/http.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { subjectQuery } from '../subject/subject.ts'
import type { BrowsedTable } from './browsed-table.ts'
import css from './data.module.css'
import { FilterChips, FilterForm } from './filters.tsx'
import { InsertDrawer } from './insert-drawer.tsx'
import { Pager } from './pager.tsx'
import { type Row, rowColumns } from './row-columns.tsx'
import { RowDrawer } from './row-drawer.tsx'
import { pageSize, type Statement, selectOf } from './statement.ts'
import { useRows } from './use-rows.ts'
import { addressOf, type View, viewOf } from './view.ts'

export function Rows(props: BrowsedTable): ReactNode {
  const { connection, name, table, subject, search } = props
  const [, go] = useLocation()
  const view = useMemo(() => viewOf(search), [search])
  const show = (next: View) => go(addressOf(connection, name, next, subject), { replace: true })
  const [opened, setOpened] = useState<Row | 'new'>()
  const { data, error, isPending, isFetching, refetch } = useRows(props, view)
  const described = data?.answer.body.columns ?? []
  const rows = data?.answer.body.rows ?? []
  const shown = rows.slice(0, pageSize)
  const close = (isChanged: boolean) => {
    setOpened(undefined)
    if (isChanged) void refetch()
  }
  return (
    <div className={css['rows']}>
      <RowsBar
        {...props}
        statement={data?.statement}
        view={view}
        onView={show}
        onNew={() => setOpened('new')}
      />
      {error !== null ? (
        <Refused {...props} error={error} view={view} onRetry={() => void refetch()} />
      ) : (
        <Card isFlush isFull>
          {isPending ? (
            <div className={css['inside']}>
              <Skeleton lines={10} height={36} />
            </div>
          ) : (
            <RowTable
              columns={rowColumns(props, described, view, show)}
              rows={shown}
              isFiltered={view.filters.length > 0}
              onOpen={setOpened}
            />
          )}
          <Pager
            page={view.page}
            count={shown.length}
            hasMore={rows.length > pageSize || data?.answer.truncated === true}
            isReading={isFetching}
            onPage={(page) => show({ ...view, page })}
          />
        </Card>
      )}
      {opened === 'new' && <InsertDrawer {...props} onClose={close} />}
      {opened !== undefined && opened !== 'new' && (
        <RowDrawer
          {...props}
          primaryKey={Object.keys(table.columns).filter(
            (column) => table.columns[column]?.primaryKey,
          )}
          values={Object.fromEntries(described.map((column, at) => [column.name, opened[at]]))}
          onClose={close}
        />
      )}
    </div>
  )
}

/** The name of the table, its filters, and what can be done with its rows. */
function RowsBar({
  connection,
  name,
  table,
  subject,
  statement,
  view,
  onView,
  onNew,
}: BrowsedTable & {
  /** undefined until it has answered. */
  readonly statement: Statement | undefined
  readonly view: View
  readonly onView: (view: View) => void
  readonly onNew: () => void
}): ReactNode {
  const [isFiltering, setFiltering] = useState(false)
  const { filters } = view
  const filter = (next: View['filters']) => onView({ ...view, page: 1, filters: next })
  return (
    <>
      <div className={css['bar']}>
        <h2 className={css['title']}>
          <bdi>{shortText(`${connection}.${name}`)}</bdi>
        </h2>
        <Button
          icon={<ListFilter aria-hidden />}
          aria-expanded={isFiltering}
          onClick={() => setFiltering(!isFiltering)}
        >
          Filter
        </Button>
        {table.kind !== 'view' && (
          <Button icon={<Plus aria-hidden />} onClick={onNew}>
            New row
          </Button>
        )}
        {statement !== undefined && (
          <Link
            className={css['link']}
            href={`/query?${subjectQuery(subject, statement.sql, paramsText(statement))}`}
          >
            Open in Query
          </Link>
        )}
      </div>
      <FilterChips
        filters={filters}
        onRemove={(gone) => filter(filters.filter((_, index) => index !== gone))}
      />
      {isFiltering && (
        <FilterForm
          columns={Object.entries(table.columns).map(([column, { type }]) => [column, type])}
          onFilter={(added) => filter([...filters, added])}
        />
      )}
    </>
  )
}

function RowTable({
  columns,
  rows,
  isFiltered,
  onOpen,
}: {
  readonly columns: readonly TableColumn<Row>[]
  readonly rows: readonly Row[]
  readonly isFiltered: boolean
  readonly onOpen: (row: Row) => void
}): ReactNode {
  return (
    <Table
      label="Rows"
      columns={columns}
      rows={rows}
      rowKey={(_, index) => `${index}`}
      minWidth={columns.length * 150}
      onOpen={onOpen}
      empty={
        <EmptyState title="No rows">
          {isFiltered
            ? 'No row that this caller may see passes the filters.'
            : 'The table is empty, or this caller may see none of its rows.'}
        </EmptyState>
      }
    />
  )
}

function Refused({
  connection,
  name,
  subject,
  view,
  error,
  onRetry,
}: BrowsedTable & {
  readonly view: View
  readonly error: ApiError
  readonly onRetry: () => void
}): ReactNode {
  const sort = view.sort === undefined ? [] : [view.sort]
  const statement = selectOf({ connection, table: name }, { ...view, sort })
  return (
    <div className={css['inside']}>
      <ErrorState title="These rows cannot be read" error={error} onRetry={onRetry} />
      <Link
        className={css['link']}
        href={`/explain?${subjectQuery(subject, statement.sql, paramsText(statement))}`}
      >
        <FlaskConical aria-hidden /> Explain why
      </Link>
    </div>
  )
}

function paramsText({ params }: Statement): string {
  return params.length === 0 ? '' : JSON.stringify(params)
}
