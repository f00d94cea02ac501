import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ErrorState } from '../../components/states.tsx'
import { Switch } from '../../components/switch.tsx'
import { useToasts } from '../../components/toast.tsx'
import { AddressField, NameField, RolesField, rolesIn } from './account-fields.tsx'

/** No administrator chooses or sees a password: a mail lets the owner of the address set one. */
export function NewUser({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { done } = useToasts()
  const [email, setEmail] = useState('')
  const [name, setName] = useState('')
  const [roles, setRoles] = useState('')
  const [isVerified, setVerified] = useState(false)
  const create = useSubmit({
    changes: ['users'],
    send: (_, signal) => {
      const given = rolesIn(roles)
      return request('POST /users', {
        signal,
        body: {
          email: email.trim(),
          name: name.trim(),
          ...(given.length === 0 ? {} : { roles: given }),
          ...(isVerified ? { verified: true } : {}),
        },
      })
    },
    onDone: () => {
      done('The account was created', 'A mail lets its owner set a password.')
      onClose()
    },
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New user"
      description="The owner of the address gets a mail, and sets a password with it."
      onSubmit={() => create.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={create.isPending}>
            Create user
          </Button>
        </>
      }
    >
      {create.error !== null && <ErrorState title="No user was created" error={create.error} />}
      <AddressField value={email} onValue={setEmail} />
      <NameField hint="May be empty." value={name} onValue={setName} />
      <RolesField
        hint="Names with commas between them; empty: by the row in the user table."
        value={roles}
        onValue={setRoles}
      />
      <Switch label="The address is verified" isOn={isVerified} onChange={setVerified} />
    </Dialog>
  )
}
