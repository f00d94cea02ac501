import type { AdminUser } from '@engine/contract/admin-api'
import {
  Ban,
  Ellipsis,
  LogOut,
  Mail,
  Plus,
  RotateCcw,
  UserPen,
  Users as UsersIcon,
} from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { useLocation, useSearchParams } from 'wouter'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Badge, Status, Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Field, SearchInput, TextInput } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { Card, Page, Toolbar } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Time } from '../../components/time.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { anonymousSubject, subjectQuery } from '../subject/subject.ts'
import { InvitationList } from './invitations.tsx'
import { InviteUser } from './invite-user.tsx'
import { NewUser } from './new-user.tsx'
import { ListError } from './no-accounts.tsx'
import { useList } from './page-of.ts'

type Work = 'roles' | 'end' | 'disable' | 'reset'

export default function Users(): ReactNode {
  const [parameters, setParameters] = useSearchParams()
  const [dialog, setDialog] = useState<'new' | 'invite'>()
  const tab = parameters.get('tab') === 'invitations' ? 'invitations' : 'accounts'
  const show = (next: string) =>
    setParameters(next === 'invitations' ? { tab: next } : {}, { replace: true })
  return (
    <Page
      isFull
      title="Users"
      lead="Accounts of this engine. Changes count from the user's next request on."
      actions={
        <>
          <Button icon={<Plus aria-hidden />} onClick={() => setDialog('new')}>
            New user
          </Button>
          <Button look="primary" icon={<Mail aria-hidden />} onClick={() => setDialog('invite')}>
            Invite
          </Button>
        </>
      }
    >
      <Tabs
        isFull
        value={tab}
        onValue={show}
        tabs={[
          { id: 'accounts', label: 'Accounts', content: <AccountList /> },
          { id: 'invitations', label: 'Invitations', content: <InvitationList /> },
        ]}
      />
      {dialog === 'new' && <NewUser onClose={() => setDialog(undefined)} />}
      {dialog === 'invite' && (
        <InviteUser onInvited={() => show('invitations')} onClose={() => setDialog(undefined)} />
      )}
    </Page>
  )
}

function AccountList(): ReactNode {
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const list = useList('users', { search })
  const [work, setWork] = useState<{ readonly kind: Work; readonly user: AdminUser }>()
  const columns = useColumns((kind, user) => setWork({ kind, user }))
  return (
    <>
      <Toolbar>
        <SearchInput label="Search by name or address" keyHint="/" value={text} onValue={setText} />
      </Toolbar>
      <Card isFlush isFull>
        {list.error !== null ? (
          <ListError error={list.error} onRetry={list.refetch} />
        ) : (
          <Table
            label="Users"
            columns={columns}
            rows={list.items}
            rowKey={({ id }) => id}
            isLoading={list.isLoading}
            onEnd={list.onEnd}
            minWidth={720}
            empty={
              <EmptyState
                icon={<UsersIcon aria-hidden />}
                title={search === '' ? 'No users yet' : 'No user matches'}
              >
                {search === '' ? (
                  <>
                    Users sign up with <code>POST /auth/sign-up</code>, or come from{' '}
                    <code>engine-server users import</code>; “Invite” sends a mail that makes one.
                  </>
                ) : (
                  'Names and addresses are searched.'
                )}
              </EmptyState>
            }
          />
        )}
      </Card>
      {work !== undefined && (
        <UserWork key={work.user.id} {...work} onClose={() => setWork(undefined)} />
      )}
    </>
  )
}

function useColumns(
  onWork: (kind: Work, user: AdminUser) => void,
): readonly TableColumn<AdminUser>[] {
  const [, go] = useLocation()
  return [
    {
      id: 'email',
      header: 'Address',
      width: 'minmax(160px, 2fr)',
      cell: ({ email }) => <bdi title={shortText(email)}>{shortText(email)}</bdi>,
    },
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(100px, 1.2fr)',
      cell: ({ name }) => <bdi title={shortText(name)}>{shortText(name) || '—'}</bdi>,
    },
    {
      id: 'roles',
      header: 'Roles',
      width: 'minmax(120px, 1.4fr)',
      cell: ({ roles }) => <Tags names={roles ?? []} empty="by its row" />,
    },
    {
      id: 'state',
      header: 'State',
      width: '124px',
      cell: ({ disabled, emailVerified }) =>
        disabled ? (
          <Status tone="red">Disabled</Status>
        ) : emailVerified ? (
          <Status tone="green">Verified</Status>
        ) : (
          <Status tone="grey">Not verified</Status>
        ),
    },
    {
      id: 'created',
      header: 'Since',
      width: '100px',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'work',
      header: <span className="visually-hidden">Actions</span>,
      width: '52px',
      cell: (user) => {
        const subject = {
          ...anonymousSubject,
          kind: 'caller' as const,
          caller: { as: { user: user.id }, label: user.email },
        }
        return (
          <Menu
            trigger={
              <Button
                look="ghost"
                size="small"
                icon={<Ellipsis aria-hidden />}
                aria-label={`Actions for ${shortText(user.email, 60)}`}
              />
            }
            entries={[
              {
                label: 'Explain as this user',
                icon: <UserPen aria-hidden />,
                onSelect: () => go(`/explain?${subjectQuery(subject, '')}`),
              },
              {
                label: 'Edit roles',
                icon: <UsersIcon aria-hidden />,
                onSelect: () => onWork('roles', user),
              },
              {
                label: 'Send a reset mail',
                icon: <Mail aria-hidden />,
                onSelect: () => onWork('reset', user),
              },
              {
                label: 'End all sessions',
                icon: <LogOut aria-hidden />,
                onSelect: () => onWork('end', user),
              },
              null,
              user.disabled
                ? {
                    label: 'Enable',
                    icon: <RotateCcw aria-hidden />,
                    onSelect: () => onWork('disable', user),
                  }
                : {
                    label: 'Disable',
                    icon: <Ban aria-hidden />,
                    isDanger: true,
                    onSelect: () => onWork('disable', user),
                  },
            ]}
          />
        )
      },
    },
  ]
}

/** Asks, and does what was chosen. */
function UserWork({
  kind,
  user,
  onClose,
}: {
  readonly kind: Work
  readonly user: AdminUser
  readonly onClose: () => void
}): ReactNode {
  const { done, failed } = useToasts()
  const [roles, setRoles] = useState((user.roles ?? []).join(', '))
  const params = { id: user.id }
  const list = roles
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '')
  const change = useSubmit({
    changes: ['users', 'sessions'],
    send: (_, signal) => {
      switch (kind) {
        case 'roles':
          return request('PATCH /users/:id', {
            params,
            signal,
            body: { roles: [...new Set(list)] },
          })
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
  const who = shortText(user.email, 80)
  if (kind === 'roles') {
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Roles"
        description={who}
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
  const texts = {
    end: ['End all sessions?', `${who} has to sign in again everywhere.`, 'End sessions'],
    reset: ['Send a reset mail?', `${who} gets the mail of “forgot password”.`, 'Send mail'],
    disable: user.disabled
      ? ['Enable the account?', `${who} may sign in again.`, 'Enable']
      : ['Disable the account?', `${who} can no longer sign in; sessions stop working.`, 'Disable'],
  }[kind]
  return (
    <Confirm
      isOpen
      title={texts[0] ?? ''}
      text={texts[1]}
      action={texts[2] ?? ''}
      isBusy={change.isPending}
      onConfirm={() => change.run()}
      onClose={onClose}
    />
  )
}
