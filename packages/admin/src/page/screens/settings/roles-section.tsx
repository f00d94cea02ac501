/** @module Roles: where each is named, renaming and removing it everywhere at once. */
import type { RoleUse } from '@engine/contract/admin-api'
import { UserCog } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link } from 'wouter'
import { useShown } from '../../api/stored.ts'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/page.tsx'
import { EmptyState, ErrorState } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { ChangeRole } from './change-role.tsx'
import css from './settings.module.css'

interface Row extends RoleUse {
  readonly role: string
}

export function RolesSection({ isChangeable }: { readonly isChangeable: boolean }): ReactNode {
  const { data, error, refetch } = useShown('roles')
  const [changing, setChanging] = useState<{ readonly row: Row; readonly isRemoval: boolean }>()
  const rows = Object.entries(data?.value.roles ?? {}).map(([role, use]): Row => ({ role, ...use }))
  const columns: readonly TableColumn<Row>[] = [
    {
      id: 'role',
      header: 'Role',
      width: 'minmax(140px, 2fr)',
      isCode: true,
      cell: ({ role }) => (
        <Link href={`/permissions?role=${encodeURIComponent(role)}`}>
          <bdi>{role === '*' ? 'signed in (*)' : shortText(role, 80)}</bdi>
        </Link>
      ),
      sortBy: ({ role }) => role,
    },
    count('rules', 'Rules', ({ permissions }) => permissions),
    count('actions', 'Actions', ({ actions }) => actions),
    count('channels', 'Channels', ({ channels }) => channels),
    {
      id: 'work',
      header: <span className="visually-hidden">Changes</span>,
      width: '180px',
      cell: (row) =>
        isChangeable &&
        row.role !== '*' && (
          <>
            <Button
              size="small"
              look="ghost"
              aria-label={`Rename ${shortText(row.role, 60)}`}
              onClick={() => setChanging({ row, isRemoval: false })}
            >
              Rename…
            </Button>
            <Button
              size="small"
              look="ghost"
              aria-label={`Remove ${shortText(row.role, 60)}`}
              onClick={() => setChanging({ row, isRemoval: true })}
            >
              Remove…
            </Button>
          </>
        ),
    },
  ]
  if (error !== null && data === undefined)
    return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <>
      <p className={css['lead']}>
        Roles are names: a rule, an action or a channel makes one. Roles of users and API keys are
        theirs, and stay as they are.
      </p>
      <Card isFlush>
        <Table
          label="Roles"
          columns={columns}
          rows={rows}
          rowKey={({ role }) => role}
          isLoading={data === undefined}
          minWidth={640}
          maxHeight={560}
          empty={
            <EmptyState icon={<UserCog aria-hidden />} title="No roles yet">
              The first rule under Permissions names the first one.
            </EmptyState>
          }
        />
      </Card>
      {changing !== undefined && data?.revision !== undefined && (
        <ChangeRole
          role={changing.row.role}
          use={changing.row}
          isRemoval={changing.isRemoval}
          revision={data.revision}
          onClose={() => setChanging(undefined)}
        />
      )}
    </>
  )
}

function count(
  id: string,
  header: string,
  namesOf: (row: Row) => readonly string[],
): TableColumn<Row> {
  return {
    id,
    header,
    width: '96px',
    isNumeric: true,
    cell: (row) => (
      <span title={shortText(namesOf(row).join(', '), 500)}>{namesOf(row).length}</span>
    ),
    sortBy: (row) => namesOf(row).length,
  }
}
