import type { WireConnection } from '@engine/contract/admin-api'
import { CircleStop, Unplug } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Confirm, Dialog } from '../../components/dialog.tsx'
import { Facts } from '../../components/page.tsx'
import { EmptyState } from '../../components/states.tsx'
import { Time } from '../../components/time.tsx'
import { useToasts } from '../../components/toast.tsx'
import { shortText } from '../../components/visible-text.ts'
import { useCallerName } from '../subject/use-found-callers.ts'
import { State } from './state.tsx'
import css from './wire-drawer.module.css'

/** One connection. @param connection undefined when it has ended. */
export function WireDrawer({
  id,
  connection,
  onClose,
}: {
  readonly id: number
  readonly connection: WireConnection | undefined
  readonly onClose: () => void
}): ReactNode {
  const { done, failed } = useToasts()
  const [isEnding, setEnding] = useState(false)
  const cancel = useSubmit({
    send: (_, signal) => request('POST /wire-connections/:id/cancel', { params: { id }, signal }),
    // The state of the connection says that it was stopped.
    changes: ['wire-connections'],
    onFailed: (error) => failed('Not stopped', error.message),
  })
  const end = useSubmit({
    send: (_, signal) => request('DELETE /wire-connections/:id', { params: { id }, signal }),
    changes: ['wire-connections'],
    onDone: () => {
      done('The connection has ended')
      onClose()
    },
    onFailed: (error) => failed('Not ended', error.message),
  })
  if (isEnding) {
    return (
      <Confirm
        isOpen
        title="End this connection?"
        text="Its statement is stopped, and its transaction is rolled back. The client may connect again."
        action="End connection"
        isBusy={end.isPending}
        onConfirm={() => end.run()}
        onClose={() => setEnding(false)}
      />
    )
  }
  return (
    <Dialog
      isOpen
      place="drawer"
      onClose={onClose}
      title={`Connection ${id}`}
      description="The number is that of pg_backend_pid()."
      footer={
        connection !== undefined && (
          <>
            <Button look="danger" icon={<Unplug aria-hidden />} onClick={() => setEnding(true)}>
              End…
            </Button>
            <Button
              icon={<CircleStop aria-hidden />}
              isBusy={cancel.isPending}
              disabled={connection.state !== 'active'}
              onClick={() => cancel.run()}
            >
              Cancel statement
            </Button>
          </>
        )
      }
    >
      {connection === undefined ? (
        <EmptyState title="It has ended">The client has gone, or was ended.</EmptyState>
      ) : (
        <ConnectionFacts connection={connection} />
      )}
    </Dialog>
  )
}

function ConnectionFacts({ connection }: { readonly connection: WireConnection }): ReactNode {
  const { state, caller, roles, applicationName, ip, isEncrypted, startedAt, worker, statement } =
    connection
  const name = useCallerName(caller)
  return (
    <>
      <Facts
        facts={[
          ['State', <State key="state" connection={connection} />],
          ['Caller', <bdi key="caller">{shortText(name ?? caller, 200)}</bdi>],
          ...(name === undefined
            ? []
            : [['Caller id', <bdi key="id">{shortText(caller, 200)}</bdi>] as const]),
          ['Roles', <Tags key="roles" names={roles} limit={8} empty="none" />],
          ['Application', shortText(applicationName, 200) || '—'],
          ['Address', ip ?? '—'],
          ['Encrypted', isEncrypted ? 'yes' : 'no'],
          ['Connected', <Time key="time" at={startedAt} />],
          ...(worker === undefined ? [] : [['Process', worker] as const]),
          [
            'Statements',
            <Link
              key="audit"
              className={css['link']}
              href={`/audit?caller=${encodeURIComponent(caller)}`}
            >
              of this caller, in the audit
            </Link>,
          ],
        ]}
      />
      {statement !== null && (
        <section className={css['statement']}>
          <h3>{state === 'active' ? 'Runs now' : 'Ran last'}</h3>
          <CodeBlock
            label={state === 'active' ? 'Statement that runs' : 'Last statement'}
            language="sql"
            text={statement}
          />
        </section>
      )}
    </>
  )
}
