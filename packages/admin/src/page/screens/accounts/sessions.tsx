import type { AdminSession } from '@engine/contract/admin-api'
import { MonitorSmartphone } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Confirm } from '../../components/dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { ListError } from './no-accounts.tsx'
import { useList } from './page-of.ts'

export default function Sessions(): ReactNode {
  const list = useList('sessions')
  const [ending, setEnding] = useState<AdminSession>()
  const columns: readonly TableColumn<AdminSession>[] = [
    {
      id: 'user',
      header: 'User',
      width: 'minmax(200px, 1.6fr)',
      cell: ({ userId, email }) => <bdi title={shortText(userId)}>{shortText(email)}</bdi>,
    },
    {
      id: 'agent',
      header: 'Browser',
      width: 'minmax(160px, 2fr)',
      cell: ({ userAgent }) => (
        <bdi title={shortText(userAgent ?? '', 500)}>{shortText(userAgent ?? '—')}</bdi>
      ),
    },
    { id: 'ip', header: 'Address', width: '130px', isCode: true, cell: ({ ip }) => ip ?? '—' },
    {
      id: 'created',
      header: 'Signed in',
      width: '104px',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'seen',
      header: 'Last seen',
      width: '104px',
      cell: ({ lastSeenAt }) => <Time at={lastSeenAt} />,
    },
    {
      id: 'ends',
      header: 'Ends',
      width: '96px',
      cell: ({ expiresAt }) => <Time at={expiresAt} />,
    },
    {
      id: 'work',
      header: <span className="visually-hidden">Actions</span>,
      width: '68px',
      cell: (session) => (
        <Button size="small" look="ghost" onClick={() => setEnding(session)}>
          End
        </Button>
      ),
    },
  ]
  return (
    <Page isFull title="Sessions" lead="Users who are signed in now, on every node.">
      <Card isFlush isFull>
        {list.error !== null ? (
          <ListError error={list.error} onRetry={list.refetch} />
        ) : (
          <Table
            label="Sessions"
            columns={columns}
            rows={list.items}
            rowKey={({ id }) => id}
            isLoading={list.isLoading}
            onEnd={list.onEnd}
            minWidth={920}
            empty={
              <EmptyState icon={<MonitorSmartphone aria-hidden />} title="Nobody is signed in">
                A session appears here when a user signs in, with its browser and address.
              </EmptyState>
            }
          />
        )}
      </Card>
      {ending !== undefined && <EndSession session={ending} onClose={() => setEnding(undefined)} />}
    </Page>
  )
}

function EndSession({
  session,
  onClose,
}: {
  readonly session: AdminSession
  readonly onClose: () => void
}): ReactNode {
  const { done, failed } = useToasts()
  const end = useSubmit({
    send: (_, signal) => request('DELETE /sessions/:id', { params: { id: session.id }, signal }),
    changes: ['sessions'],
    onDone: () => {
      done('The session has ended')
      onClose()
    },
    onFailed: (error) => failed('The session goes on', error.message),
  })
  return (
    <Confirm
      isOpen
      title="End this session?"
      text={`${shortText(session.email, 80)} is signed out in this browser with the next request.`}
      action="End session"
      isBusy={end.isPending}
      onConfirm={() => end.run()}
      onClose={onClose}
    />
  )
}
