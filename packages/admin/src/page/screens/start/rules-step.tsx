/** @module The first rules of a role: guessed, changed by table, shown as they will be stored, saved. */
import { ListChecks } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { PlannedChange } from '../../api/stored.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { ConnectionChoice } from './connection-choice.tsx'
import { type Access, sentenceOf } from './rules.ts'
import css from './start.module.css'
import { type TableRule, useFirstRules } from './use-first-rules.ts'
import { useStart, useTables } from './use-start.ts'
import { WhoseRows } from './whose-rows.tsx'

const accessTexts: Readonly<Record<Access, string>> = {
  none: 'Nothing',
  read: 'Read',
  write: 'Read and write',
}

export function RulesStep(): ReactNode {
  const { query, set, goTo } = useStart()
  const found = useTables(query.get('connection'))
  const { connection, tables, error } = found
  const first = useFirstRules(connection)
  const [planned, setPlanned] = useState<PlannedChange>()
  const { rules, revision } = first
  const count = Object.keys(rules).length
  const role = first.role.trim()
  if (error !== null && tables === undefined) return <ErrorState error={error} />
  if (first.error !== null) return <ErrorState error={first.error} />
  if (tables === undefined || !first.isLoaded) return <Skeleton lines={10} height={36} />
  return (
    <>
      <ConnectionChoice
        found={found}
        onChoice={(name) => set({ connection: name, by: '', field: '', access: '' })}
      />
      <WhoseRows first={first} />
      <Card title="Tables" isFlush>
        <Table
          label="Rules by table"
          columns={columnsFor(first.setAccess)}
          rows={first.tables}
          rowKey={({ name }) => name}
          maxHeight={440}
          minWidth={860}
          empty={<EmptyState title="No tables">The database has none yet.</EmptyState>}
        />
      </Card>
      <div className={css['actions']}>
        <Button
          look="primary"
          icon={<ListChecks aria-hidden />}
          disabled={count === 0 || role === '' || revision === undefined}
          onClick={() => setPlanned({ route: 'PATCH /config/permissions', body: rules })}
        >
          Review and save…
        </Button>
        <p className={css['aside']}>
          {count === 0
            ? 'Choose at least one table.'
            : `${count} ${count === 1 ? 'rule' : 'rules'}; other tables stay out of reach.`}
        </p>
      </div>
      {count > 0 && (
        <details className={css['details']}>
          <summary>The rules as JSON</summary>
          <CodeBlock label="rules" language="json" text={JSON.stringify(rules, null, 2)} />
        </details>
      )}
      {planned !== undefined && revision !== undefined && (
        <SaveDialog
          title={`Rules of ${shortText(role, 60)}`}
          change={planned}
          revision={revision}
          onClose={() => setPlanned(undefined)}
          onTakeOver={() => setPlanned(undefined)}
          onSaved={() => goTo('try', { connection, role, access: '' })}
        />
      )}
    </>
  )
}

function columnsFor(
  onAccess: (table: string, access: Access) => void,
): readonly TableColumn<TableRule>[] {
  return [
    {
      id: 'name',
      header: 'Table',
      width: 'minmax(150px, 1.4fr)',
      isCode: true,
      cell: ({ name }) => <bdi>{shortText(name, 100)}</bdi>,
      sortBy: ({ name }) => name,
    },
    {
      id: 'access',
      header: 'May',
      width: '170px',
      cell: ({ name, access, offered }) => (
        <span className={css['access']}>
          <Select
            label={`Access to ${shortText(name, 60)}`}
            value={access}
            onValue={(next) => onAccess(name, next as Access)}
            choices={offered.map((value) => ({ value, label: accessTexts[value] }))}
          />
        </span>
      ),
      sortBy: ({ access }) => access,
    },
    {
      id: 'rows',
      header: 'Rows',
      width: 'minmax(230px, 2fr)',
      cell: ({ guess, access }) => (
        <span className={guess.tie === undefined && access !== 'none' ? css['open'] : undefined}>
          {shortText(sentenceOf(guess, access), 300)}
        </span>
      ),
    },
    {
      id: 'hidden',
      header: 'Left out',
      width: 'minmax(150px, 1fr)',
      cell: ({ guess }) => <Tags names={guess.hidden} limit={2} />,
    },
  ]
}
