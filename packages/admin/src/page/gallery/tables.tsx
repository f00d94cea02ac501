/** @module Tables: filled, loading, empty. */
import { Plus, Table2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Card } from '../components/page.tsx'
import { EmptyState } from '../components/states.tsx'
import { Table, type TableColumn } from '../components/table.tsx'
import { Time } from '../components/time.tsx'
import { Value } from '../components/value.tsx'

interface Order {
  readonly id: number
  readonly customer: string
  readonly status: 'paid' | 'new' | 'refused'
  readonly cents: number
  readonly at: string
  readonly notes: unknown
}

const statuses = ['paid', 'new', 'refused'] as const
const orders: readonly Order[] = Array.from({ length: 400 }, (_, index) => ({
  id: 10_400 + index,
  customer: ['Nordwind', 'Ada & Sons', '<b>Hartmann</b>', 'bill\u202efdp.exe'][index % 4] ?? '',
  status: statuses[index % 3] ?? 'new',
  cents: (index * 7_919) % 250_000,
  at: new Date(Date.now() - index * 7_300_000).toISOString(),
  notes: [null, 'gift', { fragile: true, boxes: 3 }, 'long '.repeat(4_000)][index % 4],
}))
const tones = { paid: 'green', new: 'blue', refused: 'red' } as const

const columns: readonly TableColumn<Order>[] = [
  {
    id: 'id',
    header: 'Order',
    width: '84px',
    isNumeric: true,
    cell: ({ id }) => id,
    sortBy: ({ id }) => id,
  },
  {
    id: 'customer',
    header: 'Customer',
    width: 'minmax(140px, 2fr)',
    cell: ({ customer }) => <Value name="customer" value={customer} />,
    sortBy: ({ customer }) => customer,
  },
  {
    id: 'status',
    header: 'Status',
    width: '110px',
    cell: ({ status }) => <Badge tone={tones[status]}>{status}</Badge>,
  },
  {
    id: 'notes',
    header: 'Notes',
    width: 'minmax(120px, 2fr)',
    cell: ({ notes }) => <Value name="notes" value={notes} />,
  },
  {
    id: 'cents',
    header: 'Total',
    width: '110px',
    isNumeric: true,
    cell: ({ cents }) => (cents / 100).toFixed(2),
    sortBy: ({ cents }) => cents,
  },
  { id: 'at', header: 'Placed', width: '110px', cell: ({ at }) => <Time at={at} /> },
]

export function Tables(): ReactNode {
  const [open, setOpen] = useState<string>()
  const shared = { columns, rowKey: ({ id }: Order) => String(id) }
  return (
    <>
      <Card title="Table: sort, selection" isFlush>
        <Table
          {...shared}
          label="Orders"
          rows={orders}
          maxHeight={300}
          openKey={open}
          onOpen={({ id }) => setOpen(String(id))}
        />
      </Card>
      <Card title="Table: loading" isFlush>
        <Table {...shared} label="Orders that load" rows={[]} isLoading />
      </Card>
      <Card title="Table: empty" isFlush>
        <Table
          {...shared}
          label="No orders"
          rows={[]}
          empty={
            <EmptyState
              icon={<Table2 aria-hidden />}
              title="No orders yet"
              action={<Button icon={<Plus aria-hidden />}>New order</Button>}
            >
              Orders that customers place appear here.
            </EmptyState>
          }
        />
      </Card>
    </>
  )
}
