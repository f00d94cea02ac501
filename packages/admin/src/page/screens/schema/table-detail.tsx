import type { ColumnDescription, RelationshipDescription } from '@engine/contract'
import type { CatalogTable, StatementAnswer } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { Eye, KeyRound, SquareTerminal, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { type ApiError, request } from '../../api/http.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { shortText } from '../../components/visible-text.ts'
import { Result } from '../query/result.tsx'
import { RelationDiagram } from './relation-diagram.tsx'
import { drizzleSnippet, kyselySnippet } from './snippets.ts'
import css from './table-detail.module.css'
import { tablePath } from './table-path.ts'

interface Parts {
  readonly connection: string
  readonly name: string
  readonly table: CatalogTable
}

export function TableDetail(parts: Parts): ReactNode {
  const { connection, name, table } = parts
  const [tab, setTab] = useState('columns')
  const quoted = [connection, name].map((each) => `"${each.replaceAll('"', '""')}"`).join('.')
  return (
    <div className={css['detail']}>
      <div className={css['head']}>
        <div className={css['titles']}>
          <h2 className={css['title']}>
            <bdi>{shortText(`${connection}.${name}`)}</bdi>
          </h2>
          {table.kind === 'view' && <Badge tone="blue">view</Badge>}
          {table.hasRowSecurity === true && <Badge tone="amber">row security</Badge>}
        </div>
        <Link
          className={css['link']}
          href={`/permissions?search=${encodeURIComponent(`${connection}.${name}`)}`}
        >
          <KeyRound aria-hidden /> Who may use it
        </Link>
        <Link
          className={css['link']}
          href={`/query?sql=${encodeURIComponent(`select * from ${quoted} limit 50`)}`}
        >
          <SquareTerminal aria-hidden /> Query
        </Link>
      </div>
      {table.comment != null && <p className={css['comment']}>{shortText(table.comment, 1_000)}</p>}
      <Tabs
        value={tab}
        onValue={setTab}
        tabs={[
          {
            id: 'columns',
            label: 'Columns',
            count: Object.keys(table.columns).length,
            content: <Columns table={table} />,
          },
          {
            id: 'relations',
            label: 'Relations',
            count: Object.keys(table.relationships).length,
            content: <Relations name={`${connection}.${name}`} table={table} />,
          },
          { id: 'rows', label: 'Rows', content: <Rows {...parts} /> },
          {
            id: 'code',
            label: 'Code',
            content: (
              <div className={css['stack']}>
                <h3>Drizzle</h3>
                <CodeBlock label="Drizzle query" text={drizzleSnippet(connection, name)} />
                <h3>Kysely</h3>
                <CodeBlock label="Kysely query" text={kyselySnippet(connection, name)} />
              </div>
            ),
          },
        ]}
      />
    </div>
  )
}

type NamedColumn = Omit<ColumnDescription, 'comment' | 'generated'> & {
  readonly name: string
  readonly native: string
  readonly generated: string
  readonly comment: string | null
  readonly isUnique: boolean
}

const columns: readonly TableColumn<NamedColumn>[] = [
  {
    id: 'name',
    header: 'Column',
    width: 'minmax(140px, 1.6fr)',
    isCode: true,
    cell: ({ name, comment }) => <bdi title={shortText(comment ?? name)}>{shortText(name)}</bdi>,
  },
  {
    id: 'type',
    header: 'Type',
    width: 'minmax(120px, 1.4fr)',
    isCode: true,
    cell: ({ type }) => <span title={type}>{type}</span>,
  },
  {
    id: 'native',
    header: 'In the database',
    width: 'minmax(110px, 1fr)',
    isCode: true,
    cell: ({ native }) => (
      <span className="faint" title={native}>
        {native}
      </span>
    ),
  },
  {
    id: 'facts',
    header: '',
    width: 'minmax(200px, 1.4fr)',
    cell: ({ primaryKey, nullable, hasDefault, generated, isUnique }) => (
      <span className={css['facts']}>
        {primaryKey && <Badge tone="violet">primary key</Badge>}
        {isUnique && <Badge tone="blue">unique</Badge>}
        {nullable && <Badge>nullable</Badge>}
        {generated === 'no' ? hasDefault && <Badge>default</Badge> : <Badge>generated</Badge>}
      </span>
    ),
  },
]

function Columns({ table }: Pick<Parts, 'table'>): ReactNode {
  const single = new Set((table.uniqueKeys ?? []).flatMap((key) => (key.length === 1 ? key : [])))
  const rows = Object.entries(table.columns).map(
    ([name, { comment: _, generated: __, ...column }]) => ({
      ...column,
      name,
      native: table.natives?.[name]?.type ?? '',
      generated: table.natives?.[name]?.generated ?? 'no',
      comment: table.natives?.[name]?.comment ?? null,
      isUnique: single.has(name),
    }),
  )
  return (
    <Card isFlush>
      <Table
        label="Columns"
        columns={columns}
        rows={rows}
        rowKey={({ name }) => name}
        maxHeight={620}
        minWidth={620}
      />
    </Card>
  )
}

type NamedRelation = readonly [name: string, relation: RelationshipDescription]

const listed = (columns: string | readonly string[]) => [columns].flat().join(', ')

const relationColumns: readonly TableColumn<NamedRelation>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(120px, 1fr)',
    isCode: true,
    cell: ([name]) => <bdi>{shortText(name)}</bdi>,
  },
  { id: 'type', header: 'Kind', width: '120px', cell: ([, { type }]) => type },
  {
    id: 'from',
    header: 'Columns',
    width: 'minmax(160px, 1.4fr)',
    isCode: true,
    cell: ([, { from, to }]) => shortText(`${listed(from)} → ${listed(to)}`),
  },
  {
    id: 'table',
    header: 'Table',
    width: 'minmax(140px, 1.2fr)',
    isCode: true,
    cell: ([, { table }]) => (
      <Link href={`/schema/${tablePath(table)}`} className={css['reference']}>
        <bdi>{shortText(table)}</bdi>
      </Link>
    ),
  },
]

function Relations({ name, table }: Pick<Parts, 'name' | 'table'>): ReactNode {
  return (
    <Card isFlush>
      <RelationDiagram name={name} relations={table.relationships} />
      <Table
        label="Relations"
        columns={relationColumns}
        rows={Object.entries(table.relationships)}
        rowKey={([name]) => name}
        maxHeight={520}
        minWidth={560}
        empty={
          <EmptyState title="No relations">
            They come from foreign keys, or from <code>relationships</code> in the configuration.
          </EmptyState>
        }
      />
    </Card>
  )
}

/** Rows are read when somebody asks for them, and that is recorded. */
function Rows({ connection, name }: Parts): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery<StatementAnswer, ApiError>({
    queryKey: ['rows', connection, name],
    queryFn: ({ signal }) =>
      request('GET /catalog/rows', { signal, query: { connection, table: name } }),
    enabled: isAsked,
    staleTime: 60_000,
  })
  if (!isAsked && data === undefined) {
    return (
      <Card>
        <EmptyState
          icon={<Table2 aria-hidden />}
          title="Look at 20 rows"
          action={
            <Button icon={<Eye aria-hidden />} onClick={() => setAsked(true)}>
              Show rows
            </Button>
          }
        >
          They are read with full rights, so hidden rows and columns are among them. The audit
          records that you looked.
        </EmptyState>
      </Card>
    )
  }
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined || isFetching) return <Skeleton lines={8} height={36} />
  return (
    <Card isFlush>
      <Result answer={data} maxHeight={620} />
    </Card>
  )
}
