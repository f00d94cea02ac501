/** @module Every component in every state; for development. */
import { KeyRound, Plus, Table2, Trash2, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge, Status, Tags } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { CodeBlock, Diff } from '../components/code.tsx'
import { Combobox } from '../components/combobox.tsx'
import { Confirm, Dialog } from '../components/dialog.tsx'
import { Field, SearchInput, TextArea, TextInput } from '../components/field.tsx'
import { Menu } from '../components/menu.tsx'
import { Card, Facts, Page, Stat, Toolbar } from '../components/page.tsx'
import { Select } from '../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../components/states.tsx'
import { Switch } from '../components/switch.tsx'
import { Table, type TableColumn } from '../components/table.tsx'
import { Tabs } from '../components/tabs.tsx'
import { Time } from '../components/time.tsx'
import { useToasts } from '../components/toast.tsx'
import { Tooltip } from '../components/tooltip.tsx'
import { Value } from '../components/value.tsx'
import { setTheme, type Theme, useTheme } from '../design/theme.ts'

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

export function Gallery(): ReactNode {
  const theme = useTheme()
  return (
    <Page
      title="Components"
      lead="Every component in every state."
      actions={
        <Select
          label="Theme"
          value={theme}
          onValue={(next) => setTheme(next as Theme)}
          choices={['system', 'light', 'dark'].map((value) => ({ value, label: value }))}
        />
      }
    >
      <Buttons />
      <Inputs />
      <Overlays />
      <Tables />
      <Texts />
      <States />
    </Page>
  )
}

function Buttons(): ReactNode {
  const looks = ['primary', 'default', 'ghost', 'danger'] as const
  return (
    <Card title="Buttons">
      {(['normal', 'small'] as const).map((size) => (
        <Toolbar key={size}>
          {looks.map((look) => (
            <Button key={look} look={look} size={size}>
              {look}
            </Button>
          ))}
          <Button size={size} icon={<Plus aria-hidden />}>
            With icon
          </Button>
          <Button size={size} icon={<Trash2 aria-hidden />} aria-label="Remove" />
          <Button size={size} disabled>
            Disabled
          </Button>
          <Button size={size} look="primary" isBusy>
            Saving
          </Button>
        </Toolbar>
      ))}
      <br />
      <Toolbar>
        {(['grey', 'green', 'amber', 'red', 'blue', 'violet'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Status tone="green">Answers</Status>
        <Status tone="red">Does not answer</Status>
        <Status tone="grey">Unknown</Status>
        <Tags names={['customer', 'support', 'manager', 'auditor', 'nobody']} />
      </Toolbar>
    </Card>
  )
}

function Inputs(): ReactNode {
  const [text, setText] = useState('')
  const [isOn, setOn] = useState(true)
  const [role, setRole] = useState('customer')
  const [table, setTable] = useState<string | null>(null)
  return (
    <Card title="Inputs">
      <div style={{ display: 'grid', gap: 16, maxWidth: 420 }}>
        <Field label="Name" hint="What the key is for.">
          {(ids) => <TextInput {...ids} placeholder="nightly export" />}
        </Field>
        <Field label="Address" error="This is no e-mail address.">
          {(ids) => <TextInput {...ids} defaultValue="ada@" />}
        </Field>
        <Field label="Fields">
          {(ids) => <TextArea {...ids} defaultValue={'{ "customer_id": 7 }'} />}
        </Field>
        <Field label="Disabled">{(ids) => <TextInput {...ids} disabled value="read only" />}</Field>
        <SearchInput label="Search tables" value={text} onValue={setText} keyHint="/" />
        <Toolbar>
          <Select
            label="Role"
            value={role}
            onValue={setRole}
            choices={['customer', 'support', 'manager'].map((value) => ({ value, label: value }))}
          />
          <Combobox
            label="Table"
            placeholder="Choose a table"
            value={table}
            onValue={setTable}
            choices={['main.orders', 'main.customers', 'main.products']}
          />
        </Toolbar>
        <Toolbar>
          <Switch label="Read only" isOn={isOn} onChange={setOn} />
          <Switch label="Unrestricted" isDanger isOn={isOn} onChange={setOn} />
          <Switch label="Off" isOn={false} isDisabled onChange={setOn} />
        </Toolbar>
      </div>
    </Card>
  )
}

function Overlays(): ReactNode {
  const [open, setOpen] = useState<'dialog' | 'drawer' | 'confirm'>()
  const { done, failed } = useToasts()
  const close = () => setOpen(undefined)
  return (
    <Card title="Overlays">
      <Toolbar>
        <Button onClick={() => setOpen('dialog')}>Dialog</Button>
        <Button onClick={() => setOpen('drawer')}>Drawer</Button>
        <Button onClick={() => setOpen('confirm')}>Confirm</Button>
        <Button onClick={() => done('Key revoked', 'It no longer opens anything.')}>Toast</Button>
        <Button onClick={() => failed('Not saved', 'The audit cannot be written.')}>
          Failed toast
        </Button>
        <Tooltip text="Tables, columns and relations">
          <Button>Tooltip</Button>
        </Tooltip>
        <Menu
          trigger={<Button>Menu</Button>}
          entries={[
            { label: 'Edit roles', icon: <Users aria-hidden />, onSelect: close },
            { label: 'New key', icon: <KeyRound aria-hidden />, detail: 'N', onSelect: close },
            null,
            { label: 'Revoke', icon: <Trash2 aria-hidden />, isDanger: true, onSelect: close },
          ]}
        />
      </Toolbar>
      <Dialog
        isOpen={open === 'dialog'}
        onClose={close}
        title="New API key"
        description="The key is shown once."
        footer={
          <>
            <Button onClick={close}>Cancel</Button>
            <Button look="primary" onClick={close}>
              Create
            </Button>
          </>
        }
      >
        <Field label="Name">{(ids) => <TextInput {...ids} />}</Field>
      </Dialog>
      <Dialog isOpen={open === 'drawer'} onClose={close} place="drawer" title="Order 10404">
        <Facts
          facts={[
            ['Status', <Badge key="s">new</Badge>],
            ['Customer', 'Nordwind'],
          ]}
        />
      </Dialog>
      <Confirm
        isOpen={open === 'confirm'}
        title="End all sessions of Ada?"
        text="Ada signs in again with her next request."
        action="End 3 sessions"
        isBusy={false}
        onConfirm={close}
        onClose={close}
      />
    </Card>
  )
}

function Tables(): ReactNode {
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

function Texts(): ReactNode {
  const [tab, setTab] = useState('sql')
  return (
    <Card title="Code, diff, tabs, numbers">
      <Tabs
        value={tab}
        onValue={setTab}
        tabs={[
          {
            id: 'sql',
            label: 'SQL',
            content: (
              <CodeBlock
                label="statement"
                language="sql"
                text={`select r1."id", count(*) as n -- visible rows\nfrom "public"."orders" as r1\nwhere r1."customer_id" = $1 and status in ('new', 'paid') limit 20`}
              />
            ),
          },
          {
            id: 'json',
            label: 'JSON',
            count: 2,
            content: (
              <CodeBlock
                label="rule"
                language="json"
                text={JSON.stringify({ table: 'main.orders', limit: 20, roles: null }, null, 2)}
              />
            ),
          },
          {
            id: 'diff',
            label: 'Diff',
            content: (
              <Diff
                lines={[
                  { kind: 'same', text: '"table": "main.orders",' },
                  { kind: 'removed', text: '"roles": ["customer"],' },
                  { kind: 'added', text: '"roles": ["customer", "support"],' },
                ]}
              />
            ),
          },
        ]}
      />
      <div style={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(140px, 1fr))' }}>
        <Stat label="Running" value="3" detail="of 100" />
        <Stat label="Waiting" value="0" />
        <Stat label="Plans" value="1 204" detail="in the cache" />
      </div>
    </Card>
  )
}

function States(): ReactNode {
  return (
    <Card title="States">
      <ErrorState
        error={{
          message: 'The database cannot be reached.',
          code: 'SERVICE_UNAVAILABLE',
          requestId: '01JD',
        }}
        onRetry={() => undefined}
      />
      <br />
      <Skeleton lines={4} />
    </Card>
  )
}
