import type { AdminApi, ApiKeyDescription } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type ApiError, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Badge, Status, Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Card, Page } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { NewApiKey } from './new-api-key.tsx'
import { ListError } from './no-accounts.tsx'

export default function ApiKeys(): ReactNode {
  const { data, error, isPending, refetch } = useQuery<AdminApi['GET /api-keys'], ApiError>({
    queryKey: ['api-keys'],
    queryFn: ({ signal }) => request('GET /api-keys', { signal }),
    retry: false,
  })
  const [isNew, setNew] = useState(false)
  const [shown, setShown] = useState<string>()
  const [revoking, setRevoking] = useState<ApiKeyDescription>()
  return (
    <Page
      isFull
      title="API keys"
      lead="For programs. A key has roles and fields of its own, and works at once on every node."
      actions={
        <Button look="primary" icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
          New key
        </Button>
      }
    >
      <Card isFlush isFull>
        {error !== null ? (
          <ListError error={error} onRetry={() => void refetch()} />
        ) : (
          <Table
            label="API keys"
            columns={columnsOf(setRevoking)}
            rows={data?.apiKeys ?? []}
            rowKey={({ id }) => id}
            isLoading={isPending}
            minWidth={860}
            empty={
              <EmptyState
                icon={<KeyRound aria-hidden />}
                title="No keys yet"
                action={
                  <Button icon={<Plus aria-hidden />} onClick={() => setNew(true)}>
                    New key
                  </Button>
                }
              >
                A program sends its key as a bearer token, and may do what the key's roles may do.
              </EmptyState>
            }
          />
        )}
      </Card>
      {isNew && (
        <NewApiKey
          onClose={() => setNew(false)}
          onCreated={(key) => {
            setNew(false)
            setShown(key)
          }}
        />
      )}
      {shown !== undefined && <NewKey value={shown} onClose={() => setShown(undefined)} />}
      {revoking !== undefined && (
        <Revoke apiKey={revoking} onClose={() => setRevoking(undefined)} />
      )}
    </Page>
  )
}

function columnsOf(
  onRevoke: (key: ApiKeyDescription) => void,
): readonly TableColumn<ApiKeyDescription>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(150px, 1.6fr)',
      cell: ({ name }) => <bdi title={shortText(name)}>{shortText(name)}</bdi>,
    },
    {
      id: 'roles',
      header: 'Roles',
      width: 'minmax(130px, 1.4fr)',
      cell: ({ roles }) => <Tags names={roles} empty="none" />,
    },
    {
      id: 'state',
      header: 'State',
      width: '112px',
      cell: ({ revokedAt, expiresAt }) =>
        revokedAt !== null ? (
          <Status tone="red">Revoked</Status>
        ) : expiresAt !== null && Date.parse(expiresAt) < Date.now() ? (
          <Status tone="grey">Expired</Status>
        ) : (
          <Status tone="green">Valid</Status>
        ),
    },
    {
      id: 'used',
      header: 'Last used',
      width: '104px',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'never' : <Time at={lastUsedAt} />),
    },
    {
      id: 'expires',
      header: 'Expires',
      width: '104px',
      cell: ({ expiresAt }) => (expiresAt === null ? 'never' : <Time at={expiresAt} />),
    },
    {
      id: 'created',
      header: 'Created',
      width: '104px',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'work',
      header: <span className="visually-hidden">Actions</span>,
      width: '92px',
      cell: (key) =>
        key.revokedAt === null && (
          <Button
            look="ghost"
            size="small"
            aria-label={`Revoke ${shortText(key.name, 60)}`}
            onClick={() => onRevoke(key)}
          >
            Revoke
          </Button>
        ),
    },
  ]
}

/** The server does not know the key itself: it is gone with this dialog. */
function NewKey({
  value,
  onClose,
}: {
  readonly value: string
  readonly onClose: () => void
}): ReactNode {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Copy the key now"
      description="It is shown this once: only its digest is stored."
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <CodeBlock label="key" text={value} />
      <p>
        <Badge tone="amber">Keep it secret</Badge> Whoever has it may do what its roles may do.
      </p>
    </Dialog>
  )
}

function Revoke({
  apiKey,
  onClose,
}: {
  readonly apiKey: ApiKeyDescription
  readonly onClose: () => void
}): ReactNode {
  const { done, failed } = useToasts()
  const revoke = useSubmit({
    send: (_, signal) => request('DELETE /api-keys/:id', { params: { id: apiKey.id }, signal }),
    changes: ['api-keys'],
    onDone: () => {
      done('The key is revoked')
      onClose()
    },
    onFailed: (error) => failed('The key still works', error.message),
  })
  return (
    <Confirm
      isOpen
      title="Revoke this key?"
      text={
        <>
          <bdi>{shortText(apiKey.name, 100)}</bdi> stops working at once, on every node. This cannot
          be undone.
        </>
      }
      action="Revoke"
      isBusy={revoke.isPending}
      onConfirm={() => revoke.run()}
      onClose={onClose}
    />
  )
}
