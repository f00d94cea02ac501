/** @module Clients of the wire protocol: who is connected, what runs, stopping a statement, ending a connection. */
import type { AdminApi, WireConnection } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { Cable } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type ApiError, request } from '../../api/http.ts'
import { Badge, Tags } from '../../components/badge.tsx'
import { Figures } from '../../components/figures.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { State } from './state.tsx'
import { WireDrawer } from './wire-drawer.tsx'

const columns: readonly TableColumn<WireConnection>[] = [
  {
    id: 'caller',
    header: 'Caller',
    width: 'minmax(120px, 1.2fr)',
    isCode: true,
    cell: ({ caller }) => <bdi title={shortText(caller)}>{shortText(caller, 60)}</bdi>,
    sortBy: ({ caller }) => caller,
  },
  {
    id: 'roles',
    header: 'Roles',
    width: 'minmax(100px, 1fr)',
    cell: ({ roles }) => <Tags names={roles} limit={2} />,
  },
  {
    id: 'application',
    header: 'Application',
    width: 'minmax(110px, 1fr)',
    cell: ({ applicationName }) =>
      applicationName === '' ? (
        <span className="faint">—</span>
      ) : (
        <bdi title={shortText(applicationName)}>{shortText(applicationName, 60)}</bdi>
      ),
    sortBy: ({ applicationName }) => applicationName,
  },
  {
    id: 'address',
    header: 'Address',
    width: '160px',
    isCode: true,
    cell: ({ ip, isEncrypted }) => (
      <>
        {ip ?? '—'} {isEncrypted && <Badge tone="green">TLS</Badge>}
      </>
    ),
    sortBy: ({ ip }) => ip ?? '',
  },
  {
    id: 'state',
    header: 'State',
    width: '210px',
    cell: (connection) => <State connection={connection} />,
    sortBy: ({ state }) => state,
  },
  {
    id: 'statement',
    header: 'Statement',
    width: 'minmax(160px, 2.4fr)',
    isCode: true,
    cell: ({ statement }) =>
      statement === null ? (
        <span className="faint">—</span>
      ) : (
        <bdi title={shortText(statement, 500)}>{shortText(statement, 200)}</bdi>
      ),
  },
  {
    id: 'since',
    header: 'Connected',
    width: '110px',
    cell: ({ startedAt }) => <Time at={startedAt} />,
    sortBy: ({ startedAt }) => startedAt,
  },
]

export default function WireConnectionsPage(): ReactNode {
  const [open, setOpen] = useState<number>()
  const query = useQuery<AdminApi['GET /wire-connections'], ApiError>({
    queryKey: ['wire-connections'],
    queryFn: ({ signal }) => request('GET /wire-connections', { signal, isBackground: true }),
    refetchInterval: 3_000,
  })
  const { data, error, isPending, refetch } = query
  const shown = data?.connections.find(({ id }) => id === open)
  return (
    <Page
      isFull
      title="Wire connections"
      lead="psql, BI tools and drivers that speak PostgreSQL's protocol, on all processes of this node."
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Figures query={query}>
          <Card isFlush isFull>
            <Table
              label="Wire connections"
              columns={columns}
              rows={data?.connections ?? []}
              rowKey={({ id }) => `${id}`}
              isLoading={isPending}
              minWidth={1_080}
              onOpen={({ id }) => setOpen(id)}
              openKey={open === undefined ? undefined : `${open}`}
              empty={
                data?.isServed === false ? (
                  <EmptyState icon={<Cable aria-hidden />} title="The wire protocol is off">
                    With <code>pgWire</code> in the configuration, psql and every driver of
                    PostgreSQL can connect, under the same permissions.
                  </EmptyState>
                ) : (
                  <EmptyState icon={<Cable aria-hidden />} title="No client is connected">
                    A connection appears here as soon as a client has signed in, with the statement
                    that it runs.
                  </EmptyState>
                )
              }
            />
          </Card>
        </Figures>
      )}
      {open !== undefined && (
        <WireDrawer id={open} connection={shown} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  )
}
