/** @module What happened: searched on the server, shown a page at a time. */
import type { AuditEntry } from '@engine/contract/admin-api'
import { Download, ScrollText } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { apiUrl } from '../../api/http.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Menu } from '../../components/menu.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { AuditDrawer } from './audit-drawer.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { kinds } from './kinds.ts'
import { type AuditFilter, useAuditFilter, useAuditList } from './use-audit.ts'

export default function Audit(): ReactNode {
  const { filter, set } = useAuditFilter()
  const list = useAuditList(filter)
  const [open, setOpen] = useState<AuditEntry>()
  return (
    <Page
      isFull
      title="Audit"
      lead="Every statement, refusal and change, newest first. The engine's own look-ups are hidden. Nothing here can be edited."
      actions={
        <Menu
          trigger={<Button icon={<Download aria-hidden />}>Export</Button>}
          entries={[
            { label: 'CSV', detail: 'this selection', onSelect: () => download(filter, 'csv') },
            {
              label: 'NDJSON',
              detail: 'this selection',
              onSelect: () => download(filter, 'ndjson'),
            },
          ]}
        />
      }
    >
      <AuditFilters filter={filter} set={set} />
      <Card isFlush isFull>
        {list.error !== null && list.entries === undefined ? (
          <ErrorState error={list.error} onRetry={list.refetch} />
        ) : (
          <Table
            label="Audit"
            columns={columns}
            rows={list.entries ?? []}
            rowKey={({ id }) => id}
            isLoading={list.isPending}
            onEnd={list.onEnd}
            onOpen={setOpen}
            openKey={open?.id}
            minWidth={900}
            footer={
              list.error !== null && <ErrorState error={list.error} onRetry={list.readMore} />
            }
            empty={<NoEntries isFiltered={Object.keys(filter).length > 0} />}
          />
        )}
      </Card>
      {open !== undefined && (
        <AuditDrawer
          entry={open}
          onClose={() => setOpen(undefined)}
          onFilter={(name, value) => set({ [name]: value })}
        />
      )}
    </Page>
  )
}

function download(filter: AuditFilter, format: string): void {
  const link = document.createElement('a')
  link.href = apiUrl('GET /audit/export', { ...filter, format })
  link.download = `audit.${format}`
  link.click()
}

function NoEntries({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return (
    <EmptyState icon={<ScrollText aria-hidden />} title="No entries">
      {isFiltered ? (
        'Nothing matches these filters.'
      ) : (
        <>
          Set <code>audit.enabled</code> to true: who did what is then written to the service
          database.
        </>
      )}
    </EmptyState>
  )
}

const columns: readonly TableColumn<AuditEntry>[] = [
  { id: 'at', header: 'When', width: '102px', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'kind',
    header: 'Kind',
    width: '92px',
    cell: ({ kind }) => (
      <Badge tone={kinds.find(([value]) => value === kind)?.[2] ?? 'grey'}>{kind}</Badge>
    ),
  },
  {
    id: 'caller',
    header: 'Caller',
    width: 'minmax(100px, 1fr)',
    cell: ({ caller }) => <bdi title={shortText(caller ?? '')}>{shortText(caller || '—')}</bdi>,
  },
  {
    id: 'what',
    header: 'What',
    width: 'minmax(220px, 4fr)',
    isCode: true,
    cell: ({ sql, action, message }) => (
      <bdi>{shortText(sql ?? action ?? message ?? '—', 300)}</bdi>
    ),
  },
  {
    id: 'error',
    header: 'Outcome',
    width: '168px',
    cell: ({ error, rowCount }) =>
      error !== null ? (
        <Badge tone="red">{error}</Badge>
      ) : rowCount !== null ? (
        <span className="faint">
          {rowCount.toLocaleString()} {rowCount === 1 ? 'row' : 'rows'}
        </span>
      ) : (
        <span className="faint">done</span>
      ),
  },
  {
    id: 'duration',
    header: 'Time',
    width: '84px',
    isNumeric: true,
    cell: ({ durationMs }) => (durationMs === null ? '' : `${durationMs.toFixed(1)} ms`),
  },
]
