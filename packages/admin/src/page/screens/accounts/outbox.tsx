import type { AdminApi, OutboxMail } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { Eye, Inbox } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type ApiError, request } from '../../api/http.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { ListError } from './no-accounts.tsx'

const columns: readonly TableColumn<OutboxMail>[] = [
  { id: 'at', header: 'When', width: '110px', cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    id: 'to',
    header: 'To',
    width: 'minmax(160px, 1fr)',
    cell: ({ to }) => <bdi>{shortText(to)}</bdi>,
  },
  {
    id: 'subject',
    header: 'Subject',
    width: 'minmax(200px, 2fr)',
    cell: ({ subject }) => <bdi>{shortText(subject)}</bdi>,
  },
]

export default function Outbox(): ReactNode {
  const [isAsked, setAsked] = useState(false)
  const [open, setOpen] = useState<OutboxMail>()
  const { data, error, isPending, refetch } = useQuery<AdminApi['GET /outbox'], ApiError>({
    queryKey: ['outbox'],
    queryFn: ({ signal }) => request('GET /outbox', { signal }),
    enabled: isAsked,
    retry: false,
    gcTime: 0,
  })
  return (
    <Page
      isFull
      title="Outbox"
      lead="Mails that wait for a reader, as long as no SMTP server is configured."
    >
      <Card isFlush isFull>
        {!isAsked ? (
          <EmptyState
            icon={<Inbox aria-hidden />}
            title="Mails can contain links that reset passwords"
            action={
              <Button icon={<Eye aria-hidden />} onClick={() => setAsked(true)}>
                Show mails
              </Button>
            }
          >
            The audit records that you looked. Set <code>auth.smtp</code>, and mails are sent
            instead.
          </EmptyState>
        ) : error !== null ? (
          <ListError error={error} onRetry={() => void refetch()} />
        ) : (
          <Table
            label="Mails"
            columns={columns}
            rows={data?.mails ?? []}
            rowKey={({ id }) => id}
            isLoading={isPending}
            onOpen={setOpen}
            openKey={open?.id}
            minWidth={560}
            empty={<EmptyState icon={<Inbox aria-hidden />} title="No mail waits" />}
          />
        )}
      </Card>
      {open !== undefined && (
        <Dialog
          isOpen
          place="drawer"
          onClose={() => setOpen(undefined)}
          title={shortText(open.subject)}
          description={shortText(open.to)}
        >
          <CodeBlock label="mail" text={open.text} isTall />
        </Dialog>
      )}
    </Page>
  )
}
