import type { Invitation } from '@engine/contract/admin-api'
import { Ellipsis, Mail, Trash2 } from 'lucide-react'
import { type ReactNode, useDeferredValue, useState } from 'react'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Status, Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { SearchInput } from '../../components/field.tsx'
import { Menu } from '../../components/menu.tsx'
import { Card, Toolbar } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { ListError } from './no-accounts.tsx'
import { useList } from './page-of.ts'

type Work = 'resend' | 'revoke'

/** People who were invited and have no account yet. */
export function InvitationList(): ReactNode {
  const [text, setText] = useState('')
  const search = useDeferredValue(text)
  const list = useList('invitations', { search })
  const [work, setWork] = useState<{ readonly kind: Work; readonly invitation: Invitation }>()
  return (
    <>
      <Toolbar>
        <SearchInput label="Search by address" keyHint="/" value={text} onValue={setText} />
      </Toolbar>
      <Card isFlush isFull>
        {list.error !== null ? (
          <ListError error={list.error} onRetry={list.refetch} />
        ) : (
          <Table
            label="Invitations"
            columns={columnsOf((kind, invitation) => setWork({ kind, invitation }))}
            rows={list.items}
            rowKey={({ id }) => id}
            isLoading={list.isLoading}
            onEnd={list.onEnd}
            minWidth={760}
            empty={
              <EmptyState
                icon={<Mail aria-hidden />}
                title={search === '' ? 'Nobody is invited' : 'No invitation matches'}
              >
                {search === ''
                  ? '“Invite” sends a mail; its reader makes an account with the roles that you choose.'
                  : 'Addresses are searched.'}
              </EmptyState>
            }
          />
        )}
      </Card>
      {work !== undefined && (
        <InvitationWork key={work.invitation.id} {...work} onClose={() => setWork(undefined)} />
      )}
    </>
  )
}

function columnsOf(
  onWork: (kind: Work, invitation: Invitation) => void,
): readonly TableColumn<Invitation>[] {
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
      cell: ({ roles }) => <Tags names={roles ?? []} empty="default" />,
    },
    {
      id: 'fields',
      header: 'Row',
      width: 'minmax(100px, 1fr)',
      cell: ({ fields }) => (
        <Tags names={Object.entries(fields).map(([name, value]) => `${name}: ${value}`)} />
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: '140px',
      cell: (invitation) => <State {...invitation} />,
    },
    { id: 'sent', header: 'Sent', width: '96px', cell: ({ sentAt }) => <Time at={sentAt} /> },
    {
      id: 'work',
      header: <span className="visually-hidden">Actions</span>,
      width: '52px',
      cell: (invitation) => (
        <Menu
          trigger={
            <Button
              look="ghost"
              size="small"
              icon={<Ellipsis aria-hidden />}
              aria-label={`Actions for ${shortText(invitation.email, 60)}`}
            />
          }
          entries={[
            {
              label: 'Send again',
              icon: <Mail aria-hidden />,
              onSelect: () => onWork('resend', invitation),
            },
            {
              label: 'Revoke',
              icon: <Trash2 aria-hidden />,
              isDanger: true,
              onSelect: () => onWork('revoke', invitation),
            },
          ]}
        />
      ),
    },
  ]
}

function State({ unknownRoles, expiresAt }: Invitation): ReactNode {
  if (unknownRoles.length > 0) {
    const names = shortText(unknownRoles.join(', '), 200)
    return (
      <span title={`The configuration has no role ${names}: the invitation cannot be accepted.`}>
        <Status tone="red">Role is gone</Status>
      </span>
    )
  }
  return Date.parse(expiresAt) <= Date.now() ? (
    <Status tone="grey">Expired</Status>
  ) : (
    <Status tone="amber">Waiting</Status>
  )
}

/** Asks, and does what was chosen. */
function InvitationWork({
  kind,
  invitation,
  onClose,
}: {
  readonly kind: Work
  readonly invitation: Invitation
  readonly onClose: () => void
}): ReactNode {
  const { done, failed } = useToasts()
  const params = { id: invitation.id }
  const change = useSubmit<unknown>({
    send: (_, signal) =>
      kind === 'resend'
        ? request('POST /invitations/:id/resend', { params, signal })
        : request('DELETE /invitations/:id', { params, signal }),
    changes: ['invitations'],
    onDone: () => {
      done(kind === 'resend' ? 'The mail is on its way' : 'The invitation is revoked')
      onClose()
    },
    onFailed: (error) => failed('Nothing was changed', error.message),
  })
  const who = shortText(invitation.email, 80)
  return (
    <Confirm
      isOpen
      title={kind === 'resend' ? 'Send the invitation again?' : 'Revoke the invitation?'}
      text={
        kind === 'resend'
          ? `${who} gets another mail. The links of earlier ones stop working.`
          : `The link in the mail to ${who} stops working.`
      }
      action={kind === 'resend' ? 'Send mail' : 'Revoke'}
      isBusy={change.isPending}
      onConfirm={() => change.run()}
      onClose={onClose}
    />
  )
}
