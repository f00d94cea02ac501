/** @module The first rules of a role: guessed, changed by table, shown as they will be stored, saved. */
import type { GuessedRule, RulesScope } from '@engine/contract/admin-api'
import { ListChecks } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useRulesGuess } from '../../api/queries.ts'
import type { PlannedChange } from '../../api/stored.ts'
import { Tags } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table, type TableColumn } from '../../components/table.tsx'
import { shortText } from '../../components/visible-text.ts'
import { SaveDialog } from '../stored/save-dialog.tsx'
import { ConnectionChoice } from './connection-choice.tsx'
import { type Access, guessedAccess, offeredAccess, rulesOf, sentenceOf } from './rules.ts'
import css from './start.module.css'
import { useRules, useStart, useTables } from './use-start.ts'

const accessTexts: Readonly<Record<Access, string>> = {
  none: 'Nothing',
  read: 'Read',
  write: 'Read and write',
}

interface Row {
  readonly name: string
  readonly guess: GuessedRule
  readonly access: Access
  readonly offered: readonly Access[]
}

export function RulesStep(): ReactNode {
  const { query, set, goTo } = useStart()
  const found = useTables(query.get('connection'))
  const { connection, tables, error } = found
  const { rules: stored, revision, error: storedError } = useRules()
  const [planned, setPlanned] = useState<PlannedChange>()
  const guess = useRulesGuess(connection, askedScope(query))
  const { scopes = [], scope, tables: guessed = {} } = guess.data ?? {}
  const role = query.get('role') ?? guessedRole(scopes[0])
  const overrides = overridesIn(query.get('access'))
  const rows = Object.entries(guessed).map(([name, rule]): Row => {
    const offered = offeredAccess(rule)
    const wanted = Object.hasOwn(overrides, name) ? overrides[name] : undefined
    const access = offered.find((each) => each === wanted) ?? guessedAccess(rule)
    return { name, guess: rule, access, offered }
  })
  const byName = new Map(rows.map((row) => [row.name, row.access]))
  const rules = rulesOf(
    guessed,
    { connection, role: role.trim(), access: (name) => byName.get(name) ?? 'none' },
    Object.keys(stored ?? {}),
  )
  const count = Object.keys(rules).length
  const onAccess = (name: string, access: Access) =>
    set({ access: JSON.stringify({ ...overrides, [name]: access }) })
  const isNamed = role.trim() !== ''
  if (error !== null && tables === undefined) return <ErrorState error={error} />
  if (guess.error !== null && guess.data === undefined) return <ErrorState error={guess.error} />
  if (storedError !== null && stored === undefined) return <ErrorState error={storedError} />
  if (tables === undefined || stored === undefined || guess.data === undefined) {
    return <Skeleton lines={10} height={36} />
  }
  return (
    <>
      <ConnectionChoice
        found={found}
        onChoice={(name) => set({ connection: name, by: '', field: '', access: '' })}
      />
      <Card title="Who, and whose rows">
        <div className={css['pair']}>
          <Field
            label="Role"
            hint="A name of your own, such as member. “anonymous” is whoever does not sign in."
            error={isNamed ? undefined : 'Give the role a name.'}
          >
            {(ids) => (
              <TextInput
                {...ids}
                maxLength={100}
                value={role}
                onChange={(event) => set({ role: event.currentTarget.value || ' ' })}
              />
            )}
          </Field>
          <Field label="A row belongs to the caller by" hint={scopeHint(scopes)}>
            {({ id }) => (
              <Select
                id={id}
                value={scope?.column ?? ''}
                onValue={(by) => set({ by: by === '' ? '-' : by, field: '', access: '' })}
                choices={[
                  ...scopes.map(({ column, tables: many }) => ({
                    value: column,
                    label: shortText(column, 60),
                    detail: `${many} ${many === 1 ? 'table' : 'tables'}`,
                  })),
                  { value: '', label: 'Nothing: all rows are alike' },
                ]}
              />
            )}
          </Field>
          {scope !== undefined && (
            <Field
              label="The caller’s field"
              hint={
                scope.field === 'id'
                  ? '$user.id is the account, or the subject of a token.'
                  : `$user.${shortText(scope.field, 40)}: from the table of users, a token, or an API key.`
              }
            >
              {(ids) => (
                <TextInput
                  {...ids}
                  className="mono"
                  maxLength={100}
                  placeholder={scopes.find(({ column }) => column === scope.column)?.field ?? ''}
                  value={query.get('field') ?? scope.field}
                  onChange={(event) => set({ field: event.currentTarget.value })}
                />
              )}
            </Field>
          )}
        </div>
      </Card>
      <Card title="Tables" isFlush>
        <Table
          label="Rules by table"
          columns={columnsFor(onAccess)}
          rows={rows}
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
          disabled={count === 0 || !isNamed || revision === undefined}
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
          title={`Rules of ${shortText(role.trim(), 60)}`}
          change={planned}
          revision={revision}
          onClose={() => setPlanned(undefined)}
          onTakeOver={() => setPlanned(undefined)}
          onSaved={() => goTo('try', { connection, role: role.trim(), access: '' })}
        />
      )}
    </>
  )
}

function columnsFor(
  onAccess: (table: string, access: Access) => void,
): readonly TableColumn<Row>[] {
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

/** The column and the field of the address, as they are asked for; a field that is none is left out. */
function askedScope(query: URLSearchParams) {
  const by = query.get('by') ?? undefined
  const field = query.get('field') ?? ''
  return {
    by: by === '-' ? '' : by,
    field: /^\w+(?:\.\w+)*$/.test(field) ? field : undefined,
  }
}

function guessedRole(scope: RulesScope | undefined): string {
  const [, noun] = /^([a-z]+)_?(?:id|uuid)$/.exec(scope?.column.toLowerCase() ?? '') ?? []
  return noun === 'customer' || noun === 'client' || noun === 'employee' ? noun : 'member'
}

function scopeHint(scopes: readonly RulesScope[]): string {
  return scopes.length === 0
    ? 'No column looks like one: tenant_id, customer_id, user_id, owner.'
    : 'Also through foreign keys: the items of an order that is the caller’s.'
}

function overridesIn(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
