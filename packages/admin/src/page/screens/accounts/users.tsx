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
import { Status, Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { Card, Page, Toolbar } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { anonymousSubject, type Subject, subjectQuery } from '../subject/subject.ts'
import { InvitationList } from './invitations.tsx'
import { InviteUser } from './invite-user.tsx'
import { NewUser } from './new-user.tsx'
import { ListError } from './no-accounts.tsx'
import { useList } from './page-of.ts'
import { UserWork, type Work } from './user-work.tsx'

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
            columns={columnsFor((kind, user) => setWork({ kind, user }))}
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

function columnsFor(
  onWork: (kind: Work, user: AdminUser) => void,
): readonly TableColumn<AdminUser>[] {
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
      cell: ({ roles }) => <Tags names={roles ?? []} empty="in the user table" />,
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
      cell: (user) => <UserMenu user={user} onWork={(kind) => onWork(kind, user)} />,
    },
  ]
}

function UserMenu({
  user,
  onWork,
}: {
  readonly user: AdminUser
  readonly onWork: (kind: Work) => void
}): ReactNode {
  const [, go] = useLocation()
  const subject: Subject = {
    ...anonymousSubject,
    kind: 'caller',
    caller: { as: { user: user.id }, label: user.email },
  }
  const entry = (kind: Work, label: string, icon: ReactNode) => ({
    label,
    icon,
    onSelect: () => onWork(kind),
  })
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
        entry('roles', 'Edit roles', <UsersIcon aria-hidden />),
        entry('reset', 'Send a reset mail', <Mail aria-hidden />),
        entry('end', 'End all sessions', <LogOut aria-hidden />),
        null,
        user.disabled
          ? entry('disable', 'Enable', <RotateCcw aria-hidden />)
          : { ...entry('disable', 'Disable', <Ban aria-hidden />), isDanger: true },
      ]}
    />
  )
}
