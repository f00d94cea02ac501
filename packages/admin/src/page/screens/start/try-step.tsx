/** @module The rules as they are stored, tried as a caller with the role. */
import type { PreviewAnswer } from '@engine/contract/admin-api'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowRight, ListFilter, ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import { type ApiError, request } from '../../api/http.ts'
import { useSubmit } from '../../api/use-submit.ts'
import { Button } from '../../components/button.tsx'
import { Field, TextInput } from '../../components/field.tsx'
import { Card } from '../../components/page.tsx'
import { Select } from '../../components/select.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { shortText } from '../../components/visible-text.ts'
import { tableParts } from '../permissions/editor/rule.ts'
import { Seen } from '../permissions/editor/seen.tsx'
import { useRested } from '../permissions/editor/use-rested.ts'
import { ConnectionChoice } from './connection-choice.tsx'
import { type CallerField, fieldsOf, fieldValue, valuesStatement } from './fields.ts'
import css from './start.module.css'
import { rolesOn, rulesFor, useRules, useStart, useTables } from './use-start.ts'

export function TryStep(): ReactNode {
  const { query, set, goTo } = useStart()
  const found = useTables(query.get('connection'))
  const { connection, tables, error } = found
  const { rules: stored, error: storedError } = useRules()
  if (error !== null && tables === undefined) return <ErrorState error={error} />
  if (storedError !== null && stored === undefined) return <ErrorState error={storedError} />
  if (tables === undefined || stored === undefined) return <Skeleton lines={8} height={36} />
  const roles = rolesOn(stored, connection)
  const wanted = query.get('role')
  const role = wanted !== null && roles.includes(wanted) ? wanted : (roles[0] ?? '')
  const rules = rulesFor(stored, connection, role)
  const readable = Object.values(rules).map((rule) => tableParts(rule.table).table)
  const asked = query.get('table')
  const table = asked !== null && readable.includes(asked) ? asked : (readable[0] ?? '')
  const fields = fieldsOf(rules, tables)
  const given = valuesIn(fields, query)
  const missing = fields.flatMap(({ name }) => (Object.hasOwn(given, name) ? [] : [name]))
  const as = role === 'anonymous' ? 'anonymous' : { roles: [role], fields: given }
  return (
    <>
      <ConnectionChoice
        found={found}
        onChoice={(name) => set({ connection: name, role: '', table: '' })}
      />
      {role === '' ? (
        <Card>
          <EmptyState
            icon={<ShieldQuestion aria-hidden />}
            title={`No role has a rule on ${shortText(connection, 60)}`}
            action={
              <Button onClick={() => goTo('rules', { connection })}>Give a role its rules</Button>
            }
          >
            Until then every statement of every caller is refused.
          </EmptyState>
        </Card>
      ) : (
        <div className={css['work']}>
          <CallerCard
            connection={connection}
            roles={roles}
            role={role}
            fields={fields}
            tables={readable}
            table={table}
          />
          <div className={css['seen']}>
            {missing.length > 0 && (
              <p className={css['note']} role="note">
                Without {missing.map((name) => `$user.${shortText(name, 60)}`).join(', ')} the
                caller sees none of the rows that a rule compares with it. Give it a value to see
                some.
              </p>
            )}
            <Outcome body={{ permissions: rules, connection, table, as }} />
          </div>
        </div>
      )}
      <div className={css['actions']}>
        <Button
          look="primary"
          icon={<ArrowRight aria-hidden />}
          disabled={role === ''}
          onClick={() => goTo('use', { connection, role, table })}
        >
          Continue
        </Button>
        <p className={css['aside']}>
          Each look is recorded in the audit, since it shows rows. Nothing is changed.
        </p>
      </div>
    </>
  )
}

/** Chooses role, values of the caller's fields, and the table that is looked at. */
function CallerCard({
  connection,
  roles,
  role,
  fields,
  tables,
  table,
}: {
  readonly connection: string
  readonly roles: readonly string[]
  readonly role: string
  readonly fields: readonly CallerField[]
  /** The tables on which the role has a rule. */
  readonly tables: readonly string[]
  readonly table: string
}): ReactNode {
  const { query, set } = useStart()
  return (
    <Card title="The caller">
      <div className={css['form']}>
        <Field label="Role">
          {({ id }) => (
            <Select
              id={id}
              value={role}
              onValue={(next) => set({ role: next, table: '' })}
              choices={roles.map((value) => ({ value, label: shortText(value, 60) }))}
            />
          )}
        </Field>
        {fields.map((field) => (
          <FieldInput
            key={field.name}
            connection={connection}
            field={field}
            value={query.get(`f.${field.name}`) ?? ''}
            onValue={(value) => set({ [`f.${field.name}`]: value })}
          />
        ))}
        <Field label="Table">
          {({ id }) => (
            <Select
              id={id}
              value={table}
              onValue={(next) => set({ table: next })}
              choices={[...new Set(tables)].map((value) => ({
                value,
                label: shortText(value, 60),
              }))}
            />
          )}
        </Field>
      </div>
    </Card>
  )
}

/** Values of the caller's fields, from the address; empty ones are left out: the caller has no such field. */
export function valuesIn(
  fields: readonly CallerField[],
  query: URLSearchParams,
): Readonly<Record<string, string | number>> {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const text = query.get(`f.${field.name}`) ?? ''
      return text === '' ? [] : [[field.name, fieldValue(text, field)]]
    }),
  )
}

/** A field, and values that its column has. */
function FieldInput({
  connection,
  field,
  value,
  onValue,
}: {
  readonly connection: string
  readonly field: CallerField
  readonly value: string
  readonly onValue: (value: string) => void
}): ReactNode {
  const { name, sources } = field
  const [source] = sources
  const find = useSubmit<readonly string[]>({
    send: async (_, signal) => {
      for (const from of sources) {
        const body = { sql: valuesStatement(connection, from), as: 'admin' }
        const answer = await request('POST /query', { body, signal })
        const values = (answer.body.rows ?? []).map(([each]) => String(each))
        if (values.length > 0) return values
      }
      return []
    },
  })
  const values = find.data ?? []
  return (
    <div className={css['found']}>
      <Field
        label={`$user.${shortText(name, 60)}`}
        hint={
          source === undefined
            ? 'Compared with a column of another table.'
            : `Compared with ${shortText(`${source.table}.${source.column}`, 80)}.`
        }
      >
        {(ids) => (
          <TextInput
            {...ids}
            className="mono"
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        )}
      </Field>
      {values.length > 0 ? (
        <div className={css['chips']}>
          {values.map((each) => (
            <Button
              key={each}
              size="small"
              aria-pressed={each === value}
              onClick={() => onValue(each)}
            >
              <bdi>{shortText(each, 40)}</bdi>
            </Button>
          ))}
        </div>
      ) : (
        source !== undefined && (
          <div>
            <Button
              size="small"
              icon={<ListFilter aria-hidden />}
              isBusy={find.isPending}
              onClick={() => find.run()}
            >
              Find values
            </Button>
          </div>
        )
      )}
      {find.data !== undefined && values.length === 0 && (
        <p className={css['aside']}>No row has one yet.</p>
      )}
      {find.error !== null && <ErrorState title="No values" error={find.error} />}
    </div>
  )
}

function Outcome({ body: asked }: { readonly body: Readonly<Record<string, unknown>> }): ReactNode {
  const body = useRested(asked)
  const { data, error, isFetching } = useQuery<PreviewAnswer, ApiError>({
    queryKey: ['preview', body],
    queryFn: ({ signal }) => request('POST /config/preview', { body, signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return (
    <div className={css['seen']} role="region" aria-label="What the caller sees" aria-live="polite">
      {error !== null && !isFetching ? (
        <ErrorState title="The engine refused" error={error} />
      ) : data === undefined ? (
        <Skeleton lines={8} height={36} />
      ) : (
        <Seen data={data} />
      )}
    </div>
  )
}
