import { X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classes } from '../../../components/classes.ts'
import { shortText } from '../../../components/visible-text.ts'
import picker from '../../subject/subject-picker.module.css'

/** The roles of a rule: known ones to press, others to type. */
export function RoleList({
  roles,
  known,
  onRoles,
}: {
  readonly roles: readonly string[]
  readonly known: readonly string[]
  readonly onRoles: (roles: readonly string[]) => void
}): ReactNode {
  const id = useId()
  const [more, setMore] = useState('')
  const toggle = (role: string) =>
    onRoles(roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role])
  const add = () => {
    const role = more.trim()
    if (role !== '' && !roles.includes(role)) toggle(role)
    setMore('')
  }
  return (
    <fieldset className={picker['roles']} aria-labelledby={id}>
      <legend id={id}>Roles</legend>
      <div className={picker['chips']}>
        {[...new Set([...known, ...roles])].map((role) => (
          <button
            key={role}
            type="button"
            aria-pressed={roles.includes(role)}
            className={classes(picker['chip'], roles.includes(role) && picker['on'])}
            onClick={() => toggle(role)}
          >
            <bdi>{role === '*' ? 'signed in (*)' : shortText(role, 60)}</bdi>
            {roles.includes(role) && !known.includes(role) && <X aria-hidden size={12} />}
          </button>
        ))}
        <input
          className={picker['other']}
          aria-label="Another role"
          placeholder="another role"
          value={more}
          onBlur={add}
          onChange={(event) => setMore(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault()
            add()
          }}
        />
      </div>
    </fieldset>
  )
}
