/** @module Buttons, badges and inputs in every state. */
import { Plus, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Badge, Status, Tags } from '../components/badge.tsx'
import { Button } from '../components/button.tsx'
import { Combobox } from '../components/combobox.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import SqlEditor from '../components/editor/sql-editor.tsx'
import { Field, SearchInput, TextArea, TextInput } from '../components/field.tsx'
import { Card, Toolbar } from '../components/page.tsx'
import { Select } from '../components/select.tsx'
import { Switch } from '../components/switch.tsx'
import css from './gallery.module.css'

export function Buttons(): ReactNode {
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
      <Toolbar>
        <CopyButton text="a copied text" />
        <CopyButton text="a copied text" label="Copy the line" isNamed />
      </Toolbar>
      <br />
      <Toolbar>
        {(['grey', 'green', 'amber', 'red', 'blue', 'violet'] as const).map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        <Status tone="green">Connected</Status>
        <Status tone="red">Not connected</Status>
        <Status tone="grey">Unknown</Status>
        <Tags names={[]} empty="none" />
        <Tags names={['customer', 'support', 'manager', 'auditor', 'nobody']} />
      </Toolbar>
    </Card>
  )
}

export function Inputs(): ReactNode {
  const [text, setText] = useState('')
  const [isOn, setOn] = useState(true)
  const [role, setRole] = useState('customer')
  const [table, setTable] = useState<string | null>(null)
  const [sql, setSql] = useState('select id, status from main.orders where total_cents > $1')
  return (
    <Card title="Inputs">
      <div className={css['column']}>
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
          <Switch label="On, fixed" isOn isDisabled onChange={setOn} />
          <Switch label="Off" isOn={false} isDisabled onChange={setOn} />
        </Toolbar>
        <SearchInput label="Search with a text" value="orders" onValue={() => undefined} />
        <SqlEditor
          label="SQL"
          value={sql}
          onValue={setSql}
          onRun={() => undefined}
          schema={{ main: { orders: ['id', 'status', 'total_cents'] } }}
        />
      </div>
    </Card>
  )
}
