/** @module Connections, tables, columns and relations; a few rows on demand. */
import type { SchemaRefresh } from '@engine/contract/admin-api'
import { useQueryClient } from '@tanstack/react-query'
import { Database, RefreshCw, Table2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { request } from '../../api/http.ts'
import { useCatalog } from '../../api/queries.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { useToasts } from '../../components/toast.tsx'
import { usePathParts } from '../../shell/address.ts'
import css from './schema.module.css'
import { TableDetail } from './table-detail.tsx'
import { Tree } from './tree.tsx'

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
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Skeleton lines={10} height={30} />
      ) : (
        <div className={css['columns']} data-table={table !== undefined || undefined}>
          <Tree place="/schema" catalog={data} connection={connection} table={table} />
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
                It may have been renamed or removed: “Refresh” asks the databases.
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
  const refresh = useSubmit<SchemaRefresh>({
    send: (_, signal) => request('POST /schema/refresh', { signal }),
    onDone: async ({ connections }) => {
      await client.invalidateQueries()
      const unread = Object.entries(connections).filter(([, { isRead }]) => !isRead)
      if (unread.length === 0) done('Schemas were refreshed')
      else failed('Not every database answered', unread.map(([name]) => name).join(', '))
    },
    onFailed: (error) => failed('Not refreshed', error.message),
  })
  return (
    <Button
      icon={<RefreshCw aria-hidden />}
      isBusy={refresh.isPending}
      onClick={() => refresh.run()}
    >
      Refresh
    </Button>
  )
}
