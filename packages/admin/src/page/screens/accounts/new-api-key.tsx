import type { AdminApi } from '@engine/contract/admin-api'
import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { ErrorState } from '../../components/states.tsx'
import { RolesField, rolesIn } from './account-fields.tsx'

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '', label: 'Never' },
]

export function NewApiKey({
  onClose,
  onCreated,
}: {
  readonly onClose: () => void
  readonly onCreated: (key: string) => void
}): ReactNode {
  const [name, setName] = useState('')
  const [roles, setRoles] = useState('')
  const [fields, setFields] = useState('')
  const [days, setDays] = useState('90')
  const create = useSubmit<AdminApi['POST /api-keys']>({
    changes: ['api-keys'],
    send: async (_, signal) =>
      request('POST /api-keys', {
        signal,
        body: {
          name: name.trim(),
          roles: rolesIn(roles),
          ...(fields.trim() === '' ? {} : { fields: parsed(fields) }),
          ...(days === ''
            ? {}
            : { expiresAt: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
        },
      }),
    onDone: ({ apiKey }) => onCreated(apiKey.key),
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New API key"
      description="For one program: a key of its own can be revoked on its own."
      onSubmit={() => create.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create key
          </Button>
        </>
      }
    >
      {create.error !== null && <ErrorState title="No key was created" error={create.error} />}
      <Field label="Name" hint="What uses it.">
        {(ids) => (
          <TextInput
            {...ids}
            required
            placeholder="nightly export"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
      </Field>
      <RolesField hint="Names with commas between them." value={roles} onValue={setRoles} />
      <Field label="Fields" hint="What $user.<field> reads, as a JSON object. May be empty.">
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            placeholder={'{ "customer_id": 7 }'}
            value={fields}
            onChange={(event) => setFields(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Expires">
        {({ id }) => <Select id={id} value={days} onValue={setDays} choices={lifetimes} />}
      </Field>
    </Dialog>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('Fields must be a JSON object: { "customer_id": 7 }')
  }
}
