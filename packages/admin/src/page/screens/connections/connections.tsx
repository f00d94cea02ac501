/** @module The databases: state, settings, a live test, adding and removing. */
import type { ConnectionStatus } from '@engine/contract/admin-api'
import { Database, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useMetrics, useStatus } from '../../api/queries.ts'
import { useSource, useStored } from '../../api/stored.ts'
import { Badge, Status } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Figures } from '../../components/figures.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { SourceBadge } from '../stored/source-badge.tsx'
import { type ConnectionValue, urlOf } from './connection.ts'
import { ConnectionDrawer } from './connection-drawer.tsx'

interface Row {
  readonly name: string
  readonly value: ConnectionValue
  readonly status: ConnectionStatus | undefined
  /** Milliseconds, of the statements of the last minutes. */
  readonly latency: { readonly p50Ms: number | null; readonly p95Ms: number | null } | undefined
}

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(140px, 1fr)',
    isCode: true,
    cell: ({ name }) => <bdi>{shortText(name, 80)}</bdi>,
    sortBy: ({ name }) => name,
  },
  {
    id: 'state',
    header: 'State',
    width: '136px',
    cell: ({ status }) =>
      status === undefined ? (
        <Status tone="grey">unknown</Status>
      ) : (
        <Status tone={status.isUp ? 'green' : 'red'}>
          {status.isUp ? 'Connected' : 'Not connected'}
        </Status>
      ),
    sortBy: ({ status }) => String(status?.isUp),
  },
  {
    id: 'kind',
    header: 'Database',
    width: '150px',
    cell: ({ status }) => (
      <>
        {status?.kind ?? '—'} {status?.isReadOnly === true && <Badge>read-only</Badge>}
      </>
    ),
    sortBy: ({ status }) => status?.kind ?? '',
  },
  {
    id: 'url',
    header: 'Address',
    width: 'minmax(200px, 3fr)',
    isCode: true,
    cell: ({ value }) => <bdi title={shortText(urlOf(value))}>{shortText(urlOf(value), 160)}</bdi>,
  },
  {
    id: 'tables',
    header: 'Tables',
    width: '80px',
    isNumeric: true,
    cell: ({ status }) => status?.tables ?? '—',
    sortBy: ({ status }) => status?.tables ?? -1,
  },
  {
    id: 'pool',
    header: 'Pool',
    width: '130px',
    isNumeric: true,
    cell: ({ status }) =>
      status?.pool == null ? '—' : `${status.pool.busy} busy, ${status.pool.idle} idle`,
  },
  {
    id: 'latency',
    header: 'p50, p95',
    width: '150px',
    isNumeric: true,
    cell: ({ latency }) => `${milliseconds(latency?.p50Ms)}, ${milliseconds(latency?.p95Ms)}`,
    sortBy: ({ latency }) => latency?.p95Ms ?? -1,
  },
]

function milliseconds(value: number | null | undefined): string {
  if (value == null) return '—'
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString()} ms`
}

export default function Connections(): ReactNode {
  const { data, error, refetch } =
    useStored<Readonly<Record<string, ConnectionValue>>>('connections')
  const status = useStatus()
  const { data: metrics } = useMetrics()
  const source = useSource()
  const [open, setOpen] = useState<{ readonly name: string | undefined; readonly count: number }>()
  const rows = Object.entries(data?.value ?? {}).map(
    ([name, value]): Row => ({
      name,
      value,
      status: status.data?.connections[name],
      latency: metrics?.connections[name],
    }),
  )
  const value = open?.name === undefined ? undefined : data?.value?.[open.name]
  return (
    <Page
      isFull
      title="Connections"
      lead="The databases behind this engine. Passwords are written, and never shown."
      actions={
        <>
          <SourceBadge />
          {source === 'stored' && (
            <Button
              look="primary"
              icon={<Plus aria-hidden />}
              onClick={() => setOpen({ name: undefined, count: 0 })}
            >
              Add connection
            </Button>
          )}
        </>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <Figures query={status}>
          <Card isFlush isFull>
            <Table
              label="Connections"
              columns={columns}
              rows={rows}
              rowKey={({ name }) => name}
              isLoading={data === undefined}
              minWidth={1_010}
              onOpen={({ name }) => setOpen({ name, count: 0 })}
              openKey={open?.name}
              empty={
                <EmptyState icon={<Database aria-hidden />} title="No connections yet">
                  Add the URL of a PostgreSQL, MySQL, MariaDB or libSQL server, the path of a SQLite
                  file, or a directory of CSV files. It is tested before it is saved.
                </EmptyState>
              }
            />
          </Card>
        </Figures>
      )}
      {open !== undefined && data !== undefined && (
        <ConnectionDrawer
          key={`${open.name} ${open.count}`}
          name={open.name}
          value={value}
          revision={data.revision}
          onClose={() => setOpen(undefined)}
          onTakeOver={() => setOpen({ ...open, count: open.count + 1 })}
        />
      )}
    </Page>
  )
}
