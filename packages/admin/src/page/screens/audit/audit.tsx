/** @module What happened: searched on the server, shown a page at a time. */
import type { AuditEntry, AuditPage } from '@engine/contract/admin-api'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, ScrollText } from 'lucide-react'
import { type ReactNode, useCallback, useDeferredValue, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import { type ApiError, apiUrl, request } from '../../api/http.ts'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { Card, Page, Toolbar } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { useSearchText } from '../../shell/address.ts'
import { AuditDrawer } from './audit-drawer.tsx'

const kinds: readonly (readonly [value: string, label: string, tone: Tone])[] = [
  ['query', 'Queries', 'grey'],
  ['denial', 'Refusals', 'red'],
  ['auth', 'Accounts', 'blue'],
  ['admin', 'Administration', 'violet'],
  ['action', 'Actions', 'green'],
  ['loss', 'Losses', 'amber'],
]

/** Whose entries: the value sets the filters `caller` and `includeSystem`. */
const whose = [
  { value: '', label: 'Everybody' },
  { value: 'admin', label: 'Administrators' },
  { value: 'system', label: 'The engine itself' },
  { value: 'all', label: 'Everybody and the engine' },
]

const spans = [
  { value: '', label: 'Any time' },
  { value: '1h', label: 'Last hour' },
  { value: '24h', label: 'Last day' },
  { value: '7d', label: 'Last 7 days' },
  { value: '30d', label: 'Last 30 days' },
]

/** Names of the filters that the address may have. */
const filterNames = [
  'kind',
  'since',
  'until',
  'text',
  'caller',
  'includeSystem',
  'connection',
  'action',
  'error',
  'correlationId',
] as const

export default function Audit(): ReactNode {
  const [path, go] = useLocation()
  const search = useSearchText()
  const filter = useMemo(() => {
    const query = new URLSearchParams(search)
    return Object.fromEntries(
      filterNames.flatMap((name): [string, string][] => {
        const value = query.get(name)
        return value === null || value === '' ? [] : [[name, value]]
      }),
    )
  }, [search])
  const asked = useDeferredValue(filter)
  const list = useInfiniteQuery<AuditPage, ApiError, readonly AuditEntry[], unknown[], string>({
    queryKey: ['audit', asked],
    queryFn: ({ pageParam, signal }) =>
      request('GET /audit', { signal, query: { ...asked, before: pageParam, limit: 200 } }),
    initialPageParam: '',
    getNextPageParam: ({ next }) => next ?? undefined,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  })
  const [open, setOpen] = useState<AuditEntry>()
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = list
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage])
  const set = (name: string, value: string) => {
    const query = new URLSearchParams(search)
    if (value === '') query.delete(name)
    else query.set(name, value)
    go(`${path}?${query}`, { replace: true })
  }
  const setWhose = (value: string) => {
    const query = new URLSearchParams(search)
    query.delete('caller')
    query.delete('includeSystem')
    if (value === 'all') query.set('includeSystem', 'true')
    else if (value !== '') query.set('caller', value)
    go(`${path}?${query}`, { replace: true })
  }
  const chosen = filter['includeSystem'] === 'true' ? 'all' : (filter['caller'] ?? '')
  const isOffered = whose.some(({ value }) => value === chosen)
  const hidden = ['kind', 'since', 'text', 'includeSystem', ...(isOffered ? ['caller'] : [])]
  const others = Object.entries(filter).filter(([name]) => !hidden.includes(name))
  const exported = (format: string) => {
    const link = document.createElement('a')
    link.href = apiUrl('GET /audit/export', { ...filter, format })
    link.download = `audit.${format}`
    link.click()
  }
  return (
    <Page
      isFull
      title="Audit"
      lead="Every statement, refusal and change, newest first. The engine's own look-ups are hidden. Nothing here can be edited."
      actions={
        <Menu
          trigger={<Button icon={<Download aria-hidden />}>Export</Button>}
          entries={[
            { label: 'CSV', detail: 'this selection', onSelect: () => exported('csv') },
            { label: 'NDJSON', detail: 'this selection', onSelect: () => exported('ndjson') },
          ]}
        />
      }
    >
      <Toolbar>
        <SearchInput
          label="Search in statements and messages"
          keyHint="/"
          value={filter['text'] ?? ''}
          onValue={(value) => set('text', value)}
        />
        <Select
          label="Kind"
          value={filter['kind'] ?? ''}
          onValue={(value) => set('kind', value)}
          choices={[
            { value: '', label: 'Everything' },
            ...kinds.map(([value, label]) => ({ value, label })),
          ]}
        />
        <Select label="Whose" value={isOffered ? chosen : ''} onValue={setWhose} choices={whose} />
        <Select
          label="Time"
          value={filter['since'] ?? ''}
          onValue={(value) => set('since', value)}
          choices={spans}
        />
        {others.map(([name, value]) => (
          <Button key={name} size="small" title="Remove this filter" onClick={() => set(name, '')}>
            {name}: {shortText(value, 30)} ×
          </Button>
        ))}
      </Toolbar>
      <Card isFlush isFull>
        {list.error !== null && list.data === undefined ? (
          <ErrorState error={list.error} onRetry={() => void list.refetch()} />
        ) : (
          <Table
            label="Audit"
            columns={columns}
            rows={list.data ?? []}
            rowKey={({ id }) => id}
            isLoading={list.isPending}
            onEnd={onEnd}
            onOpen={setOpen}
            openKey={open?.id}
            minWidth={900}
            footer={
              list.error !== null && (
                <ErrorState error={list.error} onRetry={() => void fetchNextPage()} />
              )
            }
            empty={
              <EmptyState icon={<ScrollText aria-hidden />} title="No entries">
                {Object.keys(filter).length > 0 ? (
                  'Nothing matches these filters.'
                ) : (
                  <>
                    Set <code>audit.enabled</code> to true: who did what is then written to the
                    service database.
                  </>
                )}
              </EmptyState>
            }
          />
        )}
      </Card>
      {open !== undefined && (
        <AuditDrawer entry={open} onClose={() => setOpen(undefined)} onFilter={set} />
      )}
    </Page>
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
