import type { AuditEntry } from '@engine/contract/admin-api'
import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { Badge, Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Facts } from '../../components/page.tsx'
import { Time } from '../../components/time.tsx'
import { shortText } from '../../components/visible-text.ts'
import { useCallerName } from '../subject/use-found-callers.ts'
import css from './audit-drawer.module.css'
import { explainLink } from './explain-link.ts'

/** One entry with everything that was recorded. */
export function AuditDrawer({
  entry,
  onClose,
  onFilter,
}: {
  readonly entry: AuditEntry
  readonly onClose: () => void
  readonly onFilter: (name: string, value: string) => void
}): ReactNode {
  const { sql, params, facts, roles, error, message } = entry
  const explain = explainLink(entry)
  const as = actedAs(facts)
  const name = useCallerName(entry.caller)
  const filtering = (name: string, value: string | null): ReactNode =>
    value === null ? (
      '—'
    ) : (
      <button
        type="button"
        className={css['filter']}
        title="Show only these"
        onClick={() => {
          onFilter(name, value)
          onClose()
        }}
      >
        <bdi>{shortText(value)}</bdi>
      </button>
    )
  return (
    <Dialog
      isOpen
      place="drawer"
      onClose={onClose}
      title={shortText(entry.action ?? entry.kind)}
      description={
        <>
          <Time at={entry.at} /> · {new Date(entry.at).toLocaleString()}
        </>
      }
      footer={
        explain === undefined ? (
          <Button onClick={onClose}>Close</Button>
        ) : (
          <Link href={explain} className={css['explain']}>
            <FlaskConical aria-hidden /> Explain this statement
          </Link>
        )
      }
    >
      {error !== null && (
        <p className={css['error']}>
          <Badge tone="red">{error}</Badge> {shortText(message ?? '', 2_000)}
        </p>
      )}
      <Facts
        facts={[
          ...(name === undefined
            ? []
            : [['Caller', <bdi key="name">{shortText(name)}</bdi>] as const]),
          [name === undefined ? 'Caller' : 'Caller id', filtering('caller', entry.caller)],
          ...(as === undefined ? [] : [['Acting as', as] as const]),
          ['Roles', <Tags key="roles" names={roles ?? []} limit={10} />],
          ['Connection', filtering('connection', entry.connection)],
          ['Via', entry.via ?? '—'],
          ['Address', entry.ip ?? '—'],
          ['Request', filtering('correlationId', entry.correlationId)],
          ['Credential', entry.credentialId ?? '—'],
          ['Node', shortText(entry.node)],
          ...(entry.durationMs === null
            ? []
            : [['Time', `${entry.durationMs.toFixed(2)} ms`] as const]),
          ...(entry.rowCount === null ? [] : [['Rows', entry.rowCount.toLocaleString()] as const]),
        ]}
      />
      {sql !== null && <CodeBlock label="statement" language="sql" text={sql} />}
      {params !== null && params.length > 0 && (
        <CodeBlock label="parameters" language="json" text={JSON.stringify(params, null, 2)} />
      )}
      {facts !== null && Object.keys(facts).length > 0 && (
        <CodeBlock label="details" language="json" text={JSON.stringify(facts, null, 2)} />
      )}
    </Dialog>
  )
}

/** Whom an administrator acted as. */
function actedAs(facts: AuditEntry['facts']): ReactNode {
  const as = facts?.['as'] as { readonly kind?: unknown; readonly id?: unknown } | undefined
  if (as === undefined || as.kind === 'admin') return undefined
  return <bdi key="as">{shortText(typeof as.id === 'string' ? as.id : String(as.kind))}</bdi>
}
