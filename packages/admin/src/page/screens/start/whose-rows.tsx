/** @module Of which role the first rules are, and by which column a row belongs to a caller. */
import type { RulesScope } from '@engine/contract/admin-api'
import type { ReactNode } from 'react'
import { Field, TextInput } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './start.module.css'
import type { FirstRules } from './use-first-rules.ts'
import { useStart } from './use-start.ts'

export function WhoseRows({
  first: { role, scopes, scope },
}: {
  readonly first: FirstRules
}): ReactNode {
  const { set } = useStart()
  return (
    <Card title="Who, and whose rows">
      <div className={css['pair']}>
        <Field
          label="Role"
          hint="A name of your own, such as member. “anonymous” is whoever does not sign in."
          error={role.trim() === '' ? 'Give the role a name.' : undefined}
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
        {scope !== undefined && <CallerField scope={scope} scopes={scopes} />}
      </div>
    </Card>
  )
}

function CallerField({
  scope,
  scopes,
}: {
  readonly scope: RulesScope
  readonly scopes: readonly RulesScope[]
}): ReactNode {
  const { query, set } = useStart()
  return (
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
  )
}

function scopeHint(scopes: readonly RulesScope[]): string {
  return scopes.length === 0
    ? 'No column looks like one: tenant_id, customer_id, user_id, owner.'
    : 'Also through foreign keys: the items of an order that is the caller’s.'
}
