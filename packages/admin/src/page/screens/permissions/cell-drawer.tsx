import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useSource } from '../../api/stored.ts'
import { Badge } from '../../components/badge.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { anonymousSubject, subjectQuery } from '../subject/subject.ts'
import { type CellAccess, operations, sentenceOf } from './access.ts'
import css from './cell-drawer.module.css'
import type { MatrixEntry } from './matrix-types.ts'

/** What one role may do with one table, rule by rule. */
export function CellDrawer({
  table,
  role,
  access,
  onClose,
}: {
  readonly table: string
  readonly role: string
  readonly access: CellAccess | undefined
  readonly onClose: () => void
}): ReactNode {
  const source = useSource()
  return (
    <Dialog
      isOpen
      onClose={onClose}
      place="drawer"
      title={<bdi>{shortText(table)}</bdi>}
      description={
        <>
          For the role <bdi>{shortText(role)}</bdi>
        </>
      }
      footer={
        <>
          <Link href={tryLink(table, role)} className={css['try']}>
            Try as {shortText(role, 40)}
          </Link>
          {source === 'stored' && (
            <Link
              href={`/new-permission?${new URLSearchParams({ table, role })}`}
              className={css['try']}
            >
              Add a rule
            </Link>
          )}
        </>
      }
    >
      {access === undefined ? (
        <EmptyState title="Nothing is granted">
          No rule names this table for this role, so every statement of it on the table is refused.
        </EmptyState>
      ) : (
        operations.map((operation) => (
          <OperationPart
            key={operation}
            operation={operation}
            entry={access.entries.find((entry) => entry.operation === operation)}
          />
        ))
      )}
    </Dialog>
  )
}

function OperationPart({
  operation,
  entry,
}: {
  readonly operation: string
  readonly entry: MatrixEntry | undefined
}): ReactNode {
  return (
    <section className={css['part']}>
      <h3 className={css['title']}>
        {operation}
        {entry === undefined && <Badge>refused</Badge>}
        {entry !== undefined && entry.grants.length > 1 && (
          <Badge tone="blue">{entry.grants.length} rules, any of them is enough</Badge>
        )}
      </h3>
      {entry?.grants.map((grant) => (
        <div key={grant.permission} className={css['grant']}>
          <Link
            href={`/permissions/${encodeURIComponent(grant.permission)}`}
            className={css['rule']}
          >
            <bdi>{shortText(grant.permission)}</bdi>
          </Link>
          <p className={css['sentence']}>{shortText(sentenceOf(entry, grant), 2_000)}</p>
        </div>
      ))}
    </section>
  )
}

export function tryLink(table: string, role: string): string {
  const dot = table.indexOf('.')
  const quoted = [table.slice(0, dot), table.slice(dot + 1)]
    .map((name) => `"${name.replaceAll('"', '""')}"`)
    .join('.')
  const subject =
    role === 'anonymous'
      ? anonymousSubject
      : { ...anonymousSubject, kind: 'described' as const, roles: role === '*' ? [] : [role] }
  return `/explain?${subjectQuery(subject, `select * from ${quoted} limit 20`)}`
}
