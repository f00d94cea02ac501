/** @module Removing a connection: what needs it, and its name typed to confirm. */
import type { ConnectionDependants } from '@engine/contract/admin-api'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type ApiError, request } from '../../api/http.ts'
import type { PlannedChange } from '../../api/stored.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Facts } from '../../components/page.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'

export function RemoveConnection({
  name,
  onClose,
  onRemove,
}: {
  readonly name: string
  readonly onClose: () => void
  readonly onRemove: (change: PlannedChange) => void
}): ReactNode {
  const [typed, setTyped] = useState('')
  const { data, error } = useQuery<ConnectionDependants, ApiError>({
    queryKey: ['stored', 'dependants', name],
    queryFn: ({ signal }) =>
      request('GET /config/connections/:name/dependants', { params: { name }, signal }),
  })
  const isRefused = data?.isUserTable === true
  const isConfirmed = typed === name && data !== undefined && !isRefused
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Remove ${shortText(name, 60)}`}
      description="Its tables can no longer be reached. The database itself stays as it is."
      onSubmit={() =>
        isConfirmed &&
        onRemove({
          route: 'DELETE /config/connections/:name',
          params: { name },
          query: { withDependants: 'true' },
        })
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="danger" disabled={!isConfirmed}>
            Remove with what needs it…
          </Button>
        </>
      }
    >
      {error !== null ? (
        <ErrorState error={error} />
      ) : data === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <>
          <Facts
            facts={[
              ['Rules on it', <Tags key="rules" names={data.permissions} limit={6} empty="none" />],
              ['Channels', <Tags key="channels" names={data.channels} limit={6} empty="none" />],
              ['Default connection', data.isDefault ? 'yes: there is none afterwards' : 'no'],
              ['Table of users', data.isUserTable ? 'yes, in code: it must stay' : 'no'],
              ['Actions', 'not known: they are code'],
            ]}
          />
          {!isRefused && (
            <Field label={`Type ${shortText(name, 60)} to confirm`}>
              {(ids) => (
                <TextInput
                  {...ids}
                  value={typed}
                  onChange={(event) => setTyped(event.currentTarget.value)}
                />
              )}
            </Field>
          )}
        </>
      )}
    </Dialog>
  )
}
