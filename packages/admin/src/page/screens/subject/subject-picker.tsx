import { type ReactNode, useState } from 'react'
import { useMatrix } from '../../api/queries.ts'
import { classes } from '../../components/classes.ts'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'
import { CallerSearch } from './caller-search.tsx'
import type { Subject } from './subject.ts'
import css from './subject-picker.module.css'
import { useNamedSubject } from './use-found-callers.ts'

/**
 * Chooses as whom a statement runs.
 *
 * @param allowsAdmin offers full rights, in red.
 * @param offeredRoles roles besides those that permissions name.
 */
export function SubjectPicker({
  subject,
  onSubject,
  allowsAdmin = false,
  offeredRoles = [],
}: {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
  readonly allowsAdmin?: boolean
  readonly offeredRoles?: readonly string[]
}): ReactNode {
  const named = useNamedSubject(subject)
  const choices = [
    { value: 'anonymous', label: 'Anonymous' },
    { value: 'caller', label: 'User or API key' },
    ...(subject.entry === '' ? [] : [{ value: 'entry', label: 'Caller of the audit entry' }]),
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
      {subject.kind === 'caller' && (
        <Field label="Who" hint="With the roles and fields that a request of theirs has now.">
          {({ id }) => (
            <CallerSearch
              id={id}
              chosen={named.caller}
              onChosen={(caller) => onSubject({ ...subject, caller })}
            />
          )}
        </Field>
      )}
      {subject.kind === 'described' && (
        <Described subject={subject} onSubject={onSubject} offeredRoles={offeredRoles} />
      )}
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
  offeredRoles,
}: {
  readonly subject: Subject
  readonly onSubject: (subject: Subject) => void
  readonly offeredRoles: readonly string[]
}): ReactNode {
  const { data: matrix } = useMatrix()
  const named = [...(matrix?.roles ?? []), ...offeredRoles]
  const roles = named.filter((role) => role !== '*' && role !== 'anonymous')
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
      <Field label="Id" hint="What $user.id reads. Nobody is looked up by it.">
        {(ids) => (
          <TextInput
            {...ids}
            maxLength={191}
            value={subject.id}
            onChange={(event) => onSubject({ ...subject, id: event.currentTarget.value })}
          />
        )}
      </Field>
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
