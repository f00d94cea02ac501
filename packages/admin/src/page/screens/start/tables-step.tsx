/** @module What the database has, and what of it tells whose rows are. */
import type { CatalogTable, RulesGuess } from '@engine/contract/admin-api'
import { ArrowRight, RefreshCw, Table2 } from 'lucide-react'
import { type ReactNode, useMemo, useState } from 'react'
import { request } from '../../api/http.ts'
import { useRulesGuess } from '../../api/queries.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Badge, Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { TableDetail } from '../schema/table-detail.tsx'
import { ConnectionChoice } from './connection-choice.tsx'
import css from './start.module.css'
import { useStart, useTables } from './use-start.ts'

interface Row {
  readonly name: string
  readonly table: CatalogTable
  readonly owners: readonly string[]
  readonly hidden: readonly string[]
}

const columns: readonly TableColumn<Row>[] = [
  {
    id: 'name',
    header: 'Table',
    width: 'minmax(160px, 2fr)',
    isCode: true,
    cell: ({ name, table }) => (
      <>
        <bdi>{shortText(name, 100)}</bdi> {table.kind === 'view' && <Badge tone="blue">view</Badge>}
      </>
    ),
    sortBy: ({ name }) => name,
  },
  {
    id: 'columns',
    header: 'Columns',
    width: '90px',
    isNumeric: true,
    cell: ({ table }) => Object.keys(table.columns).length,
    sortBy: ({ table }) => Object.keys(table.columns).length,
  },
  {
    id: 'relations',
    header: 'Relations',
    width: '96px',
    isNumeric: true,
    cell: ({ table }) => Object.keys(table.relationships).length,
    sortBy: ({ table }) => Object.keys(table.relationships).length,
  },
  {
    id: 'owners',
    header: 'Says whose a row is',
    width: 'minmax(170px, 1.5fr)',
    cell: ({ owners }) => <Tags names={owners} limit={2} />,
  },
  {
    id: 'hidden',
    header: 'Looks secret',
    width: 'minmax(160px, 1.5fr)',
    cell: ({ hidden }) => <Tags names={hidden} limit={2} />,
  },
]

export function TablesStep(): ReactNode {
  const { query, set, goTo } = useStart()
  const found = useTables(query.get('connection'))
  const { connection, tables, isUnreached, error, refetch } = found
  const [open, setOpen] = useState<Row>()
  const guess = useRulesGuess(connection)
  const rows = useMemo(() => rowsOf(tables ?? {}, guess.data), [tables, guess.data])
  const refresh = useSubmit({
    send: async (_, signal) => {
      await request('POST /schema/refresh', { signal })
      await Promise.all([refetch(), guess.refetch()])
    },
  })
  const again = (
    <Button
      icon={<RefreshCw aria-hidden />}
      isBusy={refresh.isPending}
      onClick={() => refresh.run()}
    >
      Refresh
    </Button>
  )
  if (error !== null && tables === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />
  if (guess.error !== null && guess.data === undefined) {
    return <ErrorState error={guess.error} onRetry={() => void guess.refetch()} />
  }
  if (tables === undefined) return <Skeleton lines={8} height={36} />
  return (
    <>
      <ConnectionChoice found={found} onChoice={(name) => set({ connection: name })} />
      {refresh.error !== null && <ErrorState title="Not refreshed" error={refresh.error} />}
      {rows.length === 0 ? (
        <Card>
          <EmptyState
            icon={<Table2 aria-hidden />}
            title={isUnreached ? 'The database has not answered yet' : 'No tables yet'}
            action={again}
          >
            {isUnreached
              ? 'Its tables appear here as soon as it does. The connection can be tested and changed under Connections.'
              : 'The user of the connection sees no table: create one, give the user rights, or name other schemas under Connections.'}
          </EmptyState>
        </Card>
      ) : (
        <Card
          title={`${rows.length.toLocaleString()} ${rows.length === 1 ? 'table' : 'tables'} in ${shortText(connection, 60)}`}
          actions={again}
          isFlush
        >
          <Table
            label="Tables"
            columns={columns}
            rows={rows}
            rowKey={({ name }) => name}
            maxHeight={440}
            minWidth={760}
            onOpen={setOpen}
            openKey={open?.name}
          />
        </Card>
      )}
      <div className={css['actions']}>
        <Button
          look="primary"
          icon={<ArrowRight aria-hidden />}
          disabled={rows.length === 0}
          onClick={() => goTo('rules', { connection })}
        >
          Continue
        </Button>
        <p className={css['aside']}>Open a table to see its columns, and rows on demand.</p>
      </div>
      {open !== undefined && (
        <Dialog
          isOpen
          isWide
          place="drawer"
          title={<bdi>{shortText(open.name, 80)}</bdi>}
          onClose={() => setOpen(undefined)}
        >
          <TableDetail connection={connection} name={open.name} table={open.table} />
        </Dialog>
      )}
    </>
  )
}

function rowsOf(
  tables: Readonly<Record<string, CatalogTable>>,
  guess: RulesGuess | undefined,
): readonly Row[] {
  return Object.entries(tables).map(([name, table]) => ({
    name,
    table,
    owners: guess?.tables[name]?.owners ?? [],
    hidden: guess?.tables[name]?.hidden ?? [],
  }))
}
