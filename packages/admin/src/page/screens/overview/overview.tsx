import type {
  AuditEntry,
  AuditPage,
  ConnectionStatus,
  EngineMetrics,
  EngineStatus,
} from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { type ApiError, request } from '../../api/http.ts'
import { useMetrics, useStatus } from '../../api/queries.ts'
import { duration } from '../../components/ago.ts'
import { Badge, Status } from '../../components/badge.tsx'
import { Figures, useIsOld } from '../../components/figures.tsx'
import { Card, Facts, Page, Stat } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { explainLink } from '../audit/explain-link.ts'
import { DemoCard } from '../demo/demo-card.tsx'
import { GetStarted } from '../start/get-started.tsx'
import { isUnfinished, progressOf, wasLeft } from '../start/start-address.ts'
import css from './overview.module.css'
import { RefusedFile } from './refused-file.tsx'
import { remedyOf } from './remedies.ts'
import { Sparkline } from './sparkline.tsx'

export function Overview(): ReactNode {
  const [, go] = useLocation()
  const query = useStatus()
  const { data: status, error, refetch } = query
  const isOld = useIsOld(query)
  const isEmpty =
    status !== undefined && isUnfinished(status) && !progressOf(status).isConnected && !wasLeft()
  // An engine without databases has nothing to look at: the first run leads on.
  useEffect(() => {
    if (isEmpty) go('/start/connect', { replace: true })
  }, [isEmpty, go])
  if (error !== null && status === undefined) {
    return (
      <Page title="Overview">
        <ErrorState error={error} onRetry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page
      title="Overview"
      lead={
        status === undefined ? (
          'Reading the state of this node…'
        ) : (
          <>
            Node <code>{shortText(status.node, 40)}</code>
            {isOld ? ' ran for ' : ' runs for '}
            {duration(status.uptimeSeconds)}.
          </>
        )
      }
    >
      {status === undefined ? (
        <Skeleton lines={10} />
      ) : (
        <Figures query={query}>
          <Body status={status} />
        </Figures>
      )}
    </Page>
  )
}

function Body({ status }: { readonly status: EngineStatus }): ReactNode {
  const { load, connections, warnings } = status
  const all = Object.values(connections)
  const up = all.filter(({ isUp }) => isUp).length
  return (
    <>
      {status.refusedConfiguration !== null && (
        <RefusedFile refused={status.refusedConfiguration} />
      )}
      {status.demo !== null && <DemoCard />}
      <GetStarted status={status} />
      <section className={css['stats']}>
        <Stat
          label="Connections"
          value={`${up} of ${all.length}`}
          detail={up === all.length ? 'all connected' : 'some are not connected'}
        />
        <Stat label="Running" value={load.running} detail={`${load.waiting} wait`} />
        <Stat label="Permissions" value={status.permissions} detail="rules" />
        <Stat label="Cached plans" value={status.cachedPlans} />
        <Stat
          label="Wire protocol"
          value={wireSessions(status) ?? 'off'}
          {...(status.pgWire === null ? {} : { detail: 'sessions' })}
        />
      </section>
      <LastHour />
      {warnings.length > 0 && <Warnings warnings={warnings} />}
      <div className={css['columns']}>
        <Connections connections={connections} />
        <Services status={status} />
      </div>
      <Denials />
    </>
  )
}

type Figure = readonly [
  label: string,
  read: (point: EngineMetrics['points'][number]) => number | null,
  shown: (value: number) => string,
]

const perMinute = (value: number) => `${(value * 6).toLocaleString()} / min`

const figures: readonly Figure[] = [
  ['Requests', ({ requests }) => requests, perMinute],
  ['Errors', ({ errors }) => errors, perMinute],
  ['Denials', ({ denials }) => denials, perMinute],
  ['p95', ({ p95Ms }) => p95Ms, milliseconds],
]

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString()} ms`
}

/** Each figure with its course; the page of metrics has the charts. */
function LastHour(): ReactNode {
  const { data } = useMetrics()
  const points = data?.points ?? []
  return (
    <section className={css['stats']} aria-label="Last hour">
      {figures.map(([label, read, shown]) => {
        const values = points.map(read)
        const last = values.findLast((value) => value !== null)
        return (
          <Stat
            key={label}
            label={label}
            value={last === undefined || last === null ? '—' : shown(last)}
            detail={<Sparkline values={values} />}
          />
        )
      })}
    </section>
  )
}

function wireSessions({ pgWire }: EngineStatus): number | undefined {
  if (pgWire === null) return undefined
  return pgWire.starting + pgWire.idle + pgWire.active + pgWire.idleInTransaction
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }): ReactNode {
  return (
    <section className={css['warnings']} aria-label="Warnings">
      {warnings.map((text) => (
        <div key={text} className={css['warning']}>
          <TriangleAlert aria-hidden />
          <div>
            <p className={css['warningText']}>{text}</p>
            <p className={css['remedy']}>{remedyOf(text)}</p>
          </div>
        </div>
      ))}
    </section>
  )
}

type NamedConnection = ConnectionStatus & {
  readonly name: string
  /** Of its statements in the last minutes. */
  readonly p95Ms: number | null
}

const columns: readonly TableColumn<NamedConnection>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(110px, 1.4fr)',
    cell: ({ name }) => (
      <Link href={`/schema/${encodeURIComponent(name)}`} className={css['link']}>
        <bdi>{shortText(name)}</bdi>
      </Link>
    ),
  },
  { id: 'kind', header: 'Database', width: '100px', cell: ({ kind }) => kind },
  {
    id: 'state',
    header: 'State',
    width: '136px',
    cell: ({ isUp }) => (
      <Status tone={isUp ? 'green' : 'red'}>{isUp ? 'Connected' : 'Not connected'}</Status>
    ),
  },
  { id: 'tables', header: 'Tables', width: '72px', isNumeric: true, cell: ({ tables }) => tables },
  {
    id: 'pool',
    header: 'Busy',
    width: '76px',
    isNumeric: true,
    cell: ({ pool }) => (pool === null ? '—' : `${pool.busy} / ${pool.busy + pool.idle}`),
  },
  {
    id: 'latency',
    header: 'p95',
    width: '92px',
    isNumeric: true,
    cell: ({ p95Ms }) => (p95Ms === null ? '—' : milliseconds(p95Ms)),
  },
  {
    id: 'mode',
    header: <span className="visually-hidden">Access</span>,
    width: '92px',
    cell: ({ isReadOnly }) => isReadOnly && <Badge>read only</Badge>,
  },
]

function Connections({ connections }: Pick<EngineStatus, 'connections'>): ReactNode {
  const { data } = useMetrics()
  const rows = Object.entries(connections).map(([name, each]) => ({
    name,
    ...each,
    p95Ms: data?.connections[name]?.p95Ms ?? null,
  }))
  return (
    <Card title="Connections" isFlush>
      <Table
        label="Connections"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        maxHeight={320}
        minWidth={560}
        empty={
          <EmptyState title="No connections">
            Name a database under <code>connections</code> in the configuration.
          </EmptyState>
        }
      />
    </Card>
  )
}

function Services({ status }: { readonly status: EngineStatus }): ReactNode {
  const { serviceDatabase, audit } = status
  return (
    <Card title="Services">
      <Facts
        facts={[
          [
            'Requests',
            <Status key="ready" tone={status.isReady ? 'green' : 'red'}>
              {status.isReady ? 'Ready' : 'Not ready'}
            </Status>,
          ],
          [
            'Service database',
            <Status key="service" tone={serviceDatabase.isUp ? 'green' : 'red'}>
              {serviceDatabase.kind}
              {serviceDatabase.isShared ? ', shared' : ''}
            </Status>,
          ],
          [
            'Audit',
            <Status
              key="audit"
              tone={!audit.isEnabled ? 'grey' : audit.isFailing ? 'red' : 'green'}
            >
              {!audit.isEnabled ? 'Off' : audit.isFailing ? 'Cannot be written' : 'Recording'}
            </Status>,
          ],
          ['Actions', status.actions.length],
          ['Started', <Time key="time" at={status.startedAt} />],
        ]}
      />
    </Card>
  )
}

const denialColumns: readonly TableColumn<AuditEntry>[] = [
  { id: 'at', header: 'When', width: '100px', cell: ({ at }) => <Time at={at} /> },
  {
    id: 'error',
    header: 'Refused with',
    width: '180px',
    cell: ({ error }) => <Badge tone="red">{error}</Badge>,
  },
  {
    id: 'caller',
    header: 'Caller',
    width: 'minmax(90px, 1fr)',
    cell: ({ caller }) => <bdi>{shortText(caller || '—')}</bdi>,
  },
  {
    id: 'what',
    header: 'Statement or message',
    width: 'minmax(180px, 3fr)',
    isCode: true,
    cell: ({ sql, message }) => <bdi>{shortText(sql ?? message ?? '')}</bdi>,
  },
  {
    id: 'why',
    header: '',
    width: '84px',
    cell: (entry) => {
      const explain = explainLink(entry)
      if (explain === undefined) return null
      return (
        <Link href={explain} className={css['why']}>
          Why?
        </Link>
      )
    },
  },
]

function Denials(): ReactNode {
  const { data, error, isPending } = useQuery<AuditPage, ApiError>({
    queryKey: ['audit', 'denials'],
    queryFn: ({ signal }) =>
      request('GET /audit', { signal, isBackground: true, query: { kind: 'denial', limit: 8 } }),
    refetchInterval: 15_000,
  })
  return (
    <Card
      title="Latest refusals"
      isFlush
      actions={
        <Link href="/audit?kind=denial" className={css['why']}>
          All
        </Link>
      }
    >
      {error !== null && data === undefined ? (
        <ErrorState error={error} />
      ) : (
        <Table
          label="Latest refusals"
          columns={denialColumns}
          rows={data?.entries ?? []}
          rowKey={({ id }) => id}
          isLoading={isPending}
          minWidth={720}
          maxHeight={360}
          empty={
            <EmptyState icon={<ShieldCheck aria-hidden />} title="Nothing was refused">
              Requests that a permission, a limit or a credential stops appear here, each with the
              way to its reason.
            </EmptyState>
          }
        />
      )}
    </Card>
  )
}
