import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { User } from '../../api/answers.ts'
import { type ApiError, request } from '../../api/http.ts'
import { useMatrix } from '../../api/queries.ts'
import { classes } from '../../components/classes.ts'
import { Combobox } from '../../components/combobox.tsx'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'
import type { Subject } from './subject.ts'
import css from './subject-picker.module.css'

/** Chooses as whom a statement runs. @param allowsAdmin offers full rights, in red. */
export function SubjectPicker({
  subject,
  onSubject,
  allowsAdmin = false,
}: {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
  readonly allowsAdmin?: boolean
}): ReactNode {
  const choices = [
    { value: 'anonymous', label: 'Anonymous' },
    { value: 'described', label: 'Roles and fields' },
    { value: 'token', label: 'Token or API key' },
    ...(allowsAdmin ? [{ value: 'admin', label: 'Unrestricted' }] : []),
  ]
  return (
    <div className={css['picker']}>
      <Field label="As whom">
        {({ id }) => (
          <Select
            id={id}
            value={subject.kind}
            onValue={(kind) => onSubject({ ...subject, kind: kind as Subject['kind'] })}
            choices={choices}
          />
        )}
      </Field>
      {subject.kind === 'described' && <Described subject={subject} onSubject={onSubject} />}
      {subject.kind === 'token' && (
        <Field
          label="Token"
          hint="Checked as in a request; it stays out of the address and the audit."
        >
          {(ids) => (
            <TextInput
              {...ids}
              type="password"
              value={subject.token}
              onChange={(event) => onSubject({ ...subject, token: event.currentTarget.value })}
            />
          )}
        </Field>
      )}
      {subject.kind === 'admin' && (
        <p className={css['danger']} role="note">
          No permission applies. Writes are real. The audit records the statement.
        </p>
      )}
    </div>
  )
}

function Described({
  subject,
  onSubject,
}: {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
}): ReactNode {
  const { data: matrix } = useMatrix()
  const roles = (matrix?.roles ?? []).filter((role) => role !== '*' && role !== 'anonymous')
  const [more, setMore] = useState('')
  const offered = [...new Set([...roles, ...subject.roles])]
  const toggle = (role: string) =>
    onSubject({
      ...subject,
      roles: subject.roles.includes(role)
        ? subject.roles.filter((each) => each !== role)
        : [...subject.roles, role],
    })
  return (
    <>
      <UserChoice subject={subject} onSubject={onSubject} />
      <fieldset className={css['roles']}>
        <legend>Roles</legend>
        <div className={css['chips']}>
          {offered.map((role) => (
            <button
              key={role}
              type="button"
              aria-pressed={subject.roles.includes(role)}
              className={classes(css['chip'], subject.roles.includes(role) && css['on'])}
              onClick={() => toggle(role)}
            >
              <bdi>{shortText(role, 60)}</bdi>
            </button>
          ))}
          <input
            className={css['other']}
            aria-label="Another role"
            placeholder="another role"
            value={more}
            onChange={(event) => setMore(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || more.trim() === '') return
              event.preventDefault()
              toggle(more.trim())
              setMore('')
            }}
          />
        </div>
      </fieldset>
      <Field label="Fields" hint="What $user.<field> reads, as a JSON object.">
        {(ids) => (
          <TextArea
            {...ids}
            rows={3}
            placeholder={'{ "customer_id": 7 }'}
            value={subject.fields}
            onChange={(event) => onSubject({ ...subject, fields: event.currentTarget.value })}
          />
        )}
      </Field>
    </>
  )
}

function UserChoice({
  subject,
  onSubject,
}: {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
}): ReactNode {
  const { data } = useQuery<{ readonly users: readonly User[] }, ApiError>({
    queryKey: ['users', 'to-choose'],
    queryFn: ({ signal }) => request('/users', { signal, query: { limit: 200 } }),
    staleTime: 60_000,
    retry: false,
  })
  if (data === undefined) return null
  const users = data.users
  const chosen = users.find(({ id }) => id === subject.id)
  return (
    <Field label="User" hint="Takes the id and the roles of an account.">
      {({ id }) => (
        <Combobox
          id={id}
          placeholder="Nobody in particular"
          value={chosen?.email ?? null}
          choices={users.map(({ email }) => email)}
          onValue={(email) => {
            const user = users.find((each) => each.email === email)
            onSubject({ ...subject, id: user?.id ?? '', roles: user?.roles ?? subject.roles })
          }}
        />
      )}
    </Field>
  )
}
