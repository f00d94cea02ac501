import type { RoleUse } from '@engine/contract/admin-api'
import { type ReactNode, useState } from 'react'
import type { PlannedChange } from '../../api/stored.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Facts } from '../../components/page.tsx'
import { shortText } from '../../components/visible-text.ts'
import { SaveDialog } from '../stored/save-dialog.tsx'

/** Renames a role everywhere, or takes it out; a removal is confirmed by typing the name. */
export function ChangeRole({
  role,
  use,
  isRemoval,
  revision,
  onClose,
}: {
  readonly role: string
  readonly use: RoleUse
  readonly isRemoval: boolean
  readonly revision: number
  readonly onClose: () => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const [planned, setPlanned] = useState<PlannedChange>()
  const name = shortText(role, 60)
  const title = isRemoval ? `Remove ${name}` : `Rename ${name}`
  if (planned !== undefined) {
    return (
      <SaveDialog
        title={title}
        change={planned}
        revision={revision}
        action={isRemoval ? 'Remove' : 'Rename'}
        isDanger={isRemoval}
        onClose={() => setPlanned(undefined)}
        onSaved={onClose}
        onTakeOver={onClose}
      />
    )
  }
  const to = typed.trim()
  const isReady = isRemoval ? typed === role : to !== '' && to !== role
  const plan = () => {
    if (!isReady) return
    const body = Object.fromEntries([[role, isRemoval ? null : to]])
    setPlanned({ route: 'PATCH /config/roles', body })
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={
        isRemoval
          ? 'Rules and channels that are left without a role go with it; such an action is switched off.'
          : 'In all rules, actions and channels at once. Users and API keys keep the old name.'
      }
      onSubmit={plan}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={isRemoval ? 'danger' : 'primary'} disabled={!isReady}>
            Review…
          </Button>
        </>
      }
    >
      <Facts
        facts={[
          ['Rules', <Tags key="rules" names={use.permissions} limit={6} empty="none" />],
          ['Actions', <Tags key="actions" names={use.actions} limit={6} empty="none" />],
          ['Channels', <Tags key="channels" names={use.channels} limit={6} empty="none" />],
        ]}
      />
      <Field label={isRemoval ? `Type ${name} to confirm` : 'New name'}>
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={100}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
