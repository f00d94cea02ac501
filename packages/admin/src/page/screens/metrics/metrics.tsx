/** @module The last hour as charts, each with its values as a table. */
import type { EngineMetrics, MetricsPoint } from '@engine/contract/admin-api'
import { ChartSpline } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useMetrics } from '../../api/queries.ts'
import { clockTime } from '../../components/ago.ts'
import { Figures } from '../../components/figures.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Chart } from './chart.tsx'
import css from './metrics.module.css'
import type { Series } from './series.ts'

interface ChartFacts {
  readonly title: string
  readonly unit: string
  readonly series: readonly Series[]
}

const perSecond = (read: (point: MetricsPoint) => number) => (point: MetricsPoint, step: number) =>
  read(point) / step

const charts: readonly ChartFacts[] = [
  {
    title: 'Requests',
    unit: 'per second',
    series: [
      { label: 'Requests', color: '--accent', read: perSecond(({ requests }) => requests) },
      { label: 'Denials', color: '--amber', read: perSecond(({ denials }) => denials) },
      { label: 'Errors', color: '--red', read: perSecond(({ errors }) => errors) },
    ],
  },
  {
    title: 'Duration of requests',
    unit: 'ms',
    series: [
      { label: 'p50', color: '--accent', read: ({ p50Ms }) => p50Ms },
      { label: 'p95', color: '--amber', read: ({ p95Ms }) => p95Ms },
    ],
  },
  {
    title: 'Load',
    unit: 'statements, connections',
    series: [
      { label: 'Running', color: '--accent', read: ({ running }) => running },
      { label: 'Waiting', color: '--amber', read: ({ waiting }) => waiting },
      { label: 'Busy connections', color: '--green', read: ({ poolBusy }) => poolBusy },
    ],
  },
  {
    title: 'Memory',
    unit: 'MB',
    series: [
      { label: 'Resident', color: '--violet', read: ({ memoryBytes }) => memoryBytes / 1_048_576 },
    ],
  },
]

export default function Metrics(): ReactNode {
  const query = useMetrics()
  const { data, error, refetch } = query
  return (
    <Page
      title="Metrics"
      lead="The last hour in steps of ten seconds, of all processes of this node. They are kept in memory; GET /metrics is for Prometheus."
    >
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={10} height={36} />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : data.points.length < 2 ? (
        <Card>
          <EmptyState icon={<ChartSpline aria-hidden />} title="The first points are on their way">
            The node has just started: a point is taken each ten seconds.
          </EmptyState>
        </Card>
      ) : (
        <Figures query={query}>
          {charts.map((chart) => (
            <ChartCard key={chart.title} chart={chart} metrics={data} />
          ))}
        </Figures>
      )}
      {data !== undefined && (
        <Figures query={query}>
          <Connections connections={data.connections} />
        </Figures>
      )}
    </Page>
  )
}

function ChartCard({
  chart: { title, unit, series },
  metrics: { points, stepSeconds },
}: {
  readonly chart: ChartFacts
  readonly metrics: EngineMetrics
}): ReactNode {
  const newest = useMemo(() => points.toReversed(), [points])
  const columns: readonly TableColumn<MetricsPoint>[] = [
    {
      id: 'at',
      header: 'Time',
      width: '84px',
      cell: ({ at }) => clockTime(at, true),
    },
    ...series.map(({ label, read }) => ({
      id: label,
      header: label,
      width: 'minmax(72px, 1fr)',
      isNumeric: true,
      cell: (point: MetricsPoint) => figure(read(point, stepSeconds)),
    })),
  ]
  return (
    <Card
      title={
        <>
          {title} <span className={css['unit']}>{unit}</span>
        </>
      }
      isFlush
    >
      <div className={css['pair']}>
        <Chart label={title} points={points} stepSeconds={stepSeconds} series={series} />
        <div className={css['table']}>
          <Table
            label={`${title}, as a table`}
            columns={columns}
            rows={newest}
            rowKey={({ at }) => at}
            maxHeight={244}
            minWidth={220}
          />
        </div>
      </div>
    </Card>
  )
}

type NamedLatency = EngineMetrics['connections'][string] & { readonly name: string }

const latencyColumns: readonly TableColumn<NamedLatency>[] = [
  {
    id: 'name',
    header: 'Connection',
    width: 'minmax(120px, 2fr)',
    cell: ({ name }) => <bdi>{shortText(name)}</bdi>,
  },
  {
    id: 'statements',
    header: 'Statements',
    width: 'minmax(90px, 1fr)',
    isNumeric: true,
    cell: ({ statements }) => statements.toLocaleString(),
  },
  {
    id: 'p50',
    header: 'p50, ms',
    width: 'minmax(90px, 1fr)',
    isNumeric: true,
    cell: ({ p50Ms }) => figure(p50Ms),
  },
  {
    id: 'p95',
    header: 'p95, ms',
    width: 'minmax(90px, 1fr)',
    isNumeric: true,
    cell: ({ p95Ms }) => figure(p95Ms),
  },
]

function Connections({ connections }: Pick<EngineMetrics, 'connections'>): ReactNode {
  const rows = Object.entries(connections).map(([name, latency]) => ({ name, ...latency }))
  return (
    <Card title="Statements in the last minutes" isFlush>
      <Table
        label="Statements by connection"
        columns={latencyColumns}
        rows={rows}
        rowKey={({ name }) => name}
        maxHeight={320}
        minWidth={440}
        empty={
          <EmptyState title="No statements yet">
            How long statements take in each database, as seen from here.
          </EmptyState>
        }
      />
    </Card>
  )
}

function figure(value: number | null): string {
  if (value === null) return '—'
  return value.toLocaleString(undefined, { maximumFractionDigits: value < 10 ? 2 : 0 })
}
