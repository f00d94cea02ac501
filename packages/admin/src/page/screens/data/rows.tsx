import type { StatementAnswer } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { ChevronLeft, ChevronRight, FlaskConical, ListFilter, Plus } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { ApiError, request } from '../../api/http.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Value } from '../../components/value.tsx'
import { shortText } from '../../components/visible-text.ts'
import result from '../query/result.module.css'
import { subjectBody, subjectQuery } from '../subject/subject.ts'
import type { BrowsedTable } from './browsed-table.ts'
import css from './data.module.css'
import { FilterChips, FilterForm } from './filters.tsx'
import { InsertDrawer, RowDrawer } from './row-drawer.tsx'
import { pageSize, type Statement, selectOf } from './statement.ts'
import { addressOf, firstView, type View, viewOf } from './view.ts'

interface Page {
  readonly answer: StatementAnswer
  readonly statement: Statement
}

type Row = readonly unknown[]

export function Rows(props: BrowsedTable): ReactNode {
  const { connection, name, table, subject, search } = props
  const [, go] = useLocation()
  const view = useMemo(() => viewOf(search), [search])
  const show = (next: View) => go(addressOf(connection, name, next, subject), { replace: true })
  const [isFiltering, setFiltering] = useState(false)
  const [opened, setOpened] = useState<Row | 'new'>()
  const { data, error, isPending, isFetching, refetch } = useQuery<Page, ApiError>({
    queryKey: ['data', connection, name, view, subject],
    queryFn: ({ signal }) => readPage(props, view, signal),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  const described = data?.answer.body.columns ?? []
  const rows = data?.answer.body.rows ?? []
  const shown = rows.slice(0, pageSize)
  const key = Object.keys(table.columns).filter((column) => table.columns[column]?.primaryKey)
  const hasMore = rows.length > pageSize || data?.answer.truncated === true
  const close = (isChanged: boolean) => {
    setOpened(undefined)
    if (isChanged) void refetch()
  }
  const columns = described.map(({ name: column, type }, index) => {
    const isSorted = view.sort?.column === column
    return {
      id: column,
      header: (
        <span className={result['head']} title={`${shortText(column)}: ${type}`}>
          <bdi>{shortText(column, 40)}</bdi>
          <span className={result['type']}>{type}</span>
        </span>
      ),
      width: 'minmax(130px, 1fr)',
      isCode: true,
      sort: {
        direction: isSorted ? (view.sort?.isDown === true ? 'down' : 'up') : undefined,
        onSort: () =>
          show({
            ...view,
            page: 1,
            sort: !isSorted
              ? { column, isDown: false }
              : view.sort?.isDown === true
                ? undefined
                : { column, isDown: true },
          }),
      },
      cell: (row) => <Cell {...props} column={column} value={row[index]} />,
    } satisfies TableColumn<Row>
  })
  const first = (view.page - 1) * pageSize + 1
  return (
    <div className={css['rows']}>
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
          <Button icon={<Plus aria-hidden />} onClick={() => setOpened('new')}>
            New row
          </Button>
        )}
        {data !== undefined && (
          <Link
            className={css['link']}
            href={`/query?${subjectQuery(subject, data.statement.sql, paramsText(data.statement))}`}
          >
            Open in Query
          </Link>
        )}
      </div>
      <FilterChips
        filters={view.filters}
        onRemove={(gone) =>
          show({ ...view, page: 1, filters: view.filters.filter((_, index) => index !== gone) })
        }
      />
      {isFiltering && (
        <FilterForm
          columns={Object.entries(table.columns).map(([column, { type }]) => [column, type])}
          onFilter={(filter) => show({ ...view, page: 1, filters: [...view.filters, filter] })}
        />
      )}
      {error !== null ? (
        <Refused {...props} error={error} view={view} onRetry={() => void refetch()} />
      ) : (
        <Card isFlush isFull>
          {isPending ? (
            <div className={css['inside']}>
              <Skeleton lines={10} height={36} />
            </div>
          ) : (
            <Table
              label="Rows"
              columns={columns}
              rows={shown}
              rowKey={(_, index) => `${index}`}
              minWidth={columns.length * 150}
              onOpen={setOpened}
              empty={
                <EmptyState title="No rows">
                  {view.filters.length === 0
                    ? 'The table is empty, or this caller may see none of its rows.'
                    : 'No row that this caller may see passes the filters.'}
                </EmptyState>
              }
            />
          )}
          <div className={css['pager']}>
            <span className="numbers" role="status">
              {shown.length === 0
                ? 'No rows'
                : `Rows ${first.toLocaleString()}–${(first + shown.length - 1).toLocaleString()}`}
              {isFetching && ' · reading'}
            </span>
            <Button
              size="small"
              icon={<ChevronLeft aria-hidden />}
              aria-label="Page before"
              disabled={view.page === 1}
              onClick={() => show({ ...view, page: view.page - 1 })}
            />
            <Button
              size="small"
              icon={<ChevronRight aria-hidden />}
              aria-label="Next page"
              disabled={!hasMore}
              onClick={() => show({ ...view, page: view.page + 1 })}
            />
          </div>
        </Card>
      )}
      {opened === 'new' && <InsertDrawer {...props} onClose={close} />}
      {opened !== undefined && opened !== 'new' && (
        <RowDrawer
          {...props}
          primaryKey={key}
          values={Object.fromEntries(described.map((column, at) => [column.name, opened[at]]))}
          onClose={close}
        />
      )}
    </div>
  )
}

/** Rows have the order of the primary key, if this caller may see it: pages need some order. */
async function readPage(props: BrowsedTable, view: View, signal: AbortSignal): Promise<Page> {
  const { connection, name, table, subject } = props
  const read = async (sort: readonly NonNullable<View['sort']>[]): Promise<Page> => {
    const statement = selectOf({ connection, table: name }, { ...view, sort })
    const answer = await request('POST /query', {
      body: { ...statement, method: 'all', ...subjectBody(subject) },
      signal,
    })
    return { answer, statement }
  }
  const byKey = Object.entries(table.columns)
    .filter(([, { primaryKey }]) => primaryKey)
    .map(([column]) => ({ column, isDown: false }))
  if (view.sort !== undefined) return read([view.sort])
  try {
    return await read(byKey)
  } catch (error) {
    const isHidden = error instanceof ApiError && [400, 403, 404].includes(error.status)
    if (!isHidden || byKey.length === 0) throw error
    return read([])
  }
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
