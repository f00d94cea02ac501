/** @module What an administrator does with one account: asked first, then done. */
import type { AdminUser } from '@engine/contract/admin-api'
import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Badge } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'

export type Work = 'roles' | 'end' | 'disable' | 'reset'

interface UserWorkProps {
  readonly kind: Work
  readonly user: AdminUser
  readonly onClose: () => void
}

/** Asks, and does what was chosen. */
export function UserWork(props: UserWorkProps): ReactNode {
  const { kind, user, onClose } = props
  const [roles, setRoles] = useState((user.roles ?? []).join(', '))
  const list = roles
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '')
  const change = useChange(props, [...new Set(list)])
  if (kind !== 'roles') {
    const { title, text, action } = questionOf(kind, user)
    return (
      <Confirm
        isOpen
        title={title}
        text={text}
        action={action}
        isBusy={change.isPending}
        onConfirm={() => change.run()}
        onClose={onClose}
      />
    )
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Roles"
      description={shortText(user.email, 80)}
      onSubmit={() => change.run()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={change.isPending}>
            Save
          </Button>
        </>
      }
    >
      <Field label="Roles" hint="Names with commas between them.">
        {(ids) => (
          <TextInput
            {...ids}
            value={roles}
            onChange={(event) => setRoles(event.currentTarget.value)}
          />
        )}
      </Field>
      <div>
        {list.map((role) => (
          <Badge key={role}>{shortText(role)}</Badge>
        ))}
      </div>
    </Dialog>
  )
}

/** @param roles the account's new ones, where these are what changes. */
function useChange({ kind, user, onClose }: UserWorkProps, roles: readonly string[]) {
  const { done, failed } = useToasts()
  const params = { id: user.id }
  return useSubmit({
    changes: ['users', 'sessions'],
    send: (_, signal) => {
      switch (kind) {
        case 'roles':
          return request('PATCH /users/:id', { params, signal, body: { roles } })
        case 'disable':
          return request('PATCH /users/:id', { params, signal, body: { disabled: !user.disabled } })
        case 'end':
          return request('DELETE /users/:id/sessions', { params, signal })
        case 'reset':
          return request('POST /users/:id/reset', { params, signal })
      }
    },
    onDone: () => {
      done(
        {
          roles: 'Roles were changed',
          disable: user.disabled ? 'The user may sign in again' : 'The user is disabled',
          end: 'The sessions have ended',
          reset: 'The mail is on its way',
        }[kind],
      )
      onClose()
    },
    onFailed: (error) => failed('Nothing was changed', error.message),
  })
}

interface Question {
  readonly title: string
  readonly text: string
  readonly action: string
}

function questionOf(kind: Exclude<Work, 'roles'>, { email, disabled }: AdminUser): Question {
  const who = shortText(email, 80)
  switch (kind) {
    case 'end':
      return {
        title: 'End all sessions?',
        text: `${who} has to sign in again everywhere.`,
        action: 'End sessions',
      }
    case 'reset':
      return {
        title: 'Send a reset mail?',
        text: `${who} gets the mail of “forgot password”.`,
        action: 'Send mail',
      }
    case 'disable':
      return disabled
        ? { title: 'Enable the account?', text: `${who} may sign in again.`, action: 'Enable' }
        : {
            title: 'Disable the account?',
            text: `${who} can no longer sign in; sessions stop working.`,
            action: 'Disable',
          }
  }
}
