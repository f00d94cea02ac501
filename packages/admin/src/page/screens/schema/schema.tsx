/** @module Connections, tables, columns and relations; a few rows on demand. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Database, RefreshCw, Table2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { Link } from 'wouter'
import type { Catalog } from '../../api/answers.ts'
import { type ApiError, request } from '../../api/http.ts'
import { useCatalog } from '../../api/queries.ts'
import { Button } from '../../components/button.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { usePathParts } from '../../shell/address.ts'
import css from './schema.module.css'
import { TableDetail } from './table-detail.tsx'

export default function Schema(): ReactNode {
  const [, connection, table] = usePathParts()
  const { data, error, refetch } = useCatalog()
  const known =
    connection === undefined || table === undefined
      ? undefined
      : data?.connections[connection]?.tables[table]
  return (
    <Page
      isFull
      title="Schema"
      lead="Tables as clients address them, of every connection."
      actions={<Refresh />}
    >
      {error !== null ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={10} height={30} />
      ) : (
        <div className={css['columns']} data-table={table !== undefined || undefined}>
          <Tree catalog={data} connection={connection} table={table} />
          <div className={css['detail']}>
            {connection !== undefined && table !== undefined && known !== undefined ? (
              <TableDetail
                key={`${connection}.${table}`}
                connection={connection}
                name={table}
                table={known}
              />
            ) : table !== undefined ? (
              <EmptyState icon={<Table2 aria-hidden />} title="There is no such table">
                It may have been renamed or removed: “Read again” asks the databases.
              </EmptyState>
            ) : (
              <EmptyState icon={<Database aria-hidden />} title="Choose a table">
                See its columns, keys and relations, look at a few rows, and find who may read it.
              </EmptyState>
            )}
          </div>
        </div>
      )}
    </Page>
  )
}

function Refresh(): ReactNode {
  const client = useQueryClient()
  const { done, failed } = useToasts()
  const refresh = useMutation<
    { readonly connections: Readonly<Record<string, { readonly isRead: boolean }>> },
    ApiError
  >({
    mutationFn: () => request('/schema/refresh', { method: 'POST' }),
    onSuccess: async ({ connections }) => {
      await client.invalidateQueries()
      const unread = Object.entries(connections).filter(([, { isRead }]) => !isRead)
      if (unread.length === 0) done('Schemas were read again')
      else failed('Not every database answered', unread.map(([name]) => name).join(', '))
    },
    onError: (error) => failed('Not read', error.message),
  })
  return (
    <Button
      icon={<RefreshCw aria-hidden />}
      isBusy={refresh.isPending}
      onClick={() => refresh.mutate()}
    >
      Read again
    </Button>
  )
}

/** More tables than this are found by the search. */
const mostListed = 400

function Tree({
  catalog,
  connection,
  table,
}: {
  readonly catalog: Catalog
  readonly connection: string | undefined
  readonly table: string | undefined
}): ReactNode {
  const [text, setText] = useState('')
  const found = useMemo(() => {
    const part = text.toLowerCase()
    return Object.entries(catalog.connections).map(([name, { type, tables }]) => ({
      name,
      type,
      all: Object.keys(tables).length,
      tables: Object.keys(tables).filter((each) => `${name}.${each}`.toLowerCase().includes(part)),
    }))
  }, [catalog, text])
  return (
    <nav className={css['tree']} aria-label="Tables">
      <SearchInput label="Search tables" keyHint="/" value={text} onValue={setText} />
      {found.map((each) => (
        <div key={each.name} className={css['connection']}>
          <h2 className={css['connectionName']}>
            <Database aria-hidden />
            <bdi>{shortText(each.name)}</bdi>
            <span className={css['kind']}>{each.type}</span>
          </h2>
          <ul>
            {each.tables.slice(0, mostListed).map((name) => (
              <li key={name}>
                <Link
                  href={`/schema/${encodeURIComponent(each.name)}/${encodeURIComponent(name)}`}
                  className={css['link']}
                  aria-current={each.name === connection && name === table ? 'page' : undefined}
                  title={shortText(name)}
                >
                  <bdi>{shortText(name, 120)}</bdi>
                </Link>
              </li>
            ))}
          </ul>
          {each.tables.length > mostListed && (
            <p className={css['more']}>
              {(each.tables.length - mostListed).toLocaleString()} more: search for them
            </p>
          )}
          {each.tables.length === 0 && (
            <p className={css['more']}>
              {catalog.unreached.includes(each.name)
                ? 'Never reached'
                : each.all === 0
                  ? 'No tables'
                  : 'No match'}
            </p>
          )}
        </div>
      ))}
    </nav>
  )
}
