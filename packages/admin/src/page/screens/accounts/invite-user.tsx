import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { ErrorState } from '../../components/states.tsx'
import { useToasts } from '../../components/toast.tsx'
import { AddressField, NameField, RolesField, rolesIn } from './account-fields.tsx'

export function InviteUser({
  onInvited,
  onClose,
}: {
  readonly onInvited: () => void
  readonly onClose: () => void
}): ReactNode {
  const { done } = useToasts()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [roles, setRoles] = useState('')
  const [fields, setFields] = useState('')
  const [expiresIn, setExpiresIn] = useState('7d')
  const row = objectOf(fields)
  const invite = useSubmit({
    changes: ['invitations'],
    send: (_, signal) => {
      const given = rolesIn(roles)
      return request('POST /invitations', {
        signal,
        body: {
          email: email.trim(),
          name: name.trim(),
          ...(given.length === 0 ? {} : { roles: given }),
          ...(row === undefined ? {} : { fields: row }),
          expiresIn: expiresIn.trim(),
        },
      })
    },
    onDone: () => {
      done('The invitation is on its way')
      onInvited()
      onClose()
    },
  })
  const isRowWrong = fields.trim() !== '' && row === undefined
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite"
      description="The reader of the mail sets a password and has the account."
      onSubmit={() => {
        if (!isRowWrong) invite.run()
      }}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={invite.isPending}>
            Send invitation
          </Button>
        </>
      }
    >
      {invite.error !== null && <ErrorState title="No mail was sent" error={invite.error} />}
      <AddressField value={email} onValue={setEmail} />
      <NameField
        hint="May be empty; the person may choose another."
        value={name}
        onValue={setName}
      />
      <RolesField
        hint="Names with commas between them; empty: the default ones."
        value={roles}
        onValue={setRoles}
      />
      <Field
        label="Columns of the row"
        hint="A JSON object, for the row in the user table. May be empty."
        error={isRowWrong ? 'This is no JSON object.' : undefined}
      >
        {(ids) => (
          <TextArea
            {...ids}
            rows={2}
            placeholder='{ "company_id": 7 }'
            value={fields}
            onChange={(event) => setFields(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="Good for" hint="1m to 90d.">
        {(ids) => (
          <TextInput
            {...ids}
            required
            value={expiresIn}
            onChange={(event) => setExpiresIn(event.currentTarget.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}

/** @returns undefined for an empty text, and for one that is no JSON object. */
function objectOf(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}
