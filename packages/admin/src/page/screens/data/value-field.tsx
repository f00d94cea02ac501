import { type ReactNode, useId } from 'react'
import { Badge } from '../../components/badge.tsx'
import { classes } from '../../components/classes.ts'
import { TextArea, TextInput } from '../../components/field.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './data.module.css'

/** A value of one column, with the error of its write beside it. */
export function ValueField({
  name,
  type,
  value,
  unset,
  isNullable,
  isReadOnly,
  isChanged,
  error,
  onValue,
  onUnset,
}: {
  readonly name: string
  readonly type: string
  /** null is NULL; undefined leaves the column out. */
  readonly value: string | null | undefined
  /** What stands in the place of a column that is left out. */
  readonly unset?: string
  readonly isNullable: boolean
  readonly isReadOnly: boolean
  readonly isChanged: boolean
  readonly error: string | undefined
  readonly onValue: (text: string | null) => void
  readonly onUnset?: () => void
}): ReactNode {
  const id = useId()
  const text = value ?? ''
  const input = {
    id,
    className: 'mono',
    readOnly: isReadOnly,
    value: text,
    placeholder: value === null ? 'NULL' : (unset ?? ''),
    'aria-describedby': error === undefined ? undefined : `${id}-error`,
    'aria-invalid': error === undefined ? undefined : (true as const),
  }
  return (
    <div className={classes(css['value'], isChanged && css['changed'])}>
      <div className={css['valueHead']}>
        <label htmlFor={id}>
          <bdi>{shortText(name, 80)}</bdi>
        </label>
        <span className={css['type']}>{type}</span>
        {isReadOnly && <Badge>read only</Badge>}
        {isNullable && !isReadOnly && (
          <button
            type="button"
            className={css['null']}
            aria-pressed={value === null}
            aria-label={`${shortText(name, 80)}: NULL`}
            onClick={() => onValue(value === null ? '' : null)}
          >
            NULL
          </button>
        )}
        {onUnset !== undefined && isChanged && (
          <button type="button" className={css['null']} onClick={onUnset}>
            Leave out
          </button>
        )}
      </div>
      {text.length > 60 || text.includes('\n') ? (
        <TextArea {...input} rows={5} onChange={(event) => onValue(event.currentTarget.value)} />
      ) : (
        <TextInput {...input} onChange={(event) => onValue(event.currentTarget.value)} />
      )}
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className={css['fault']}>
          {shortText(error, 1_000)}
        </p>
      )}
    </div>
  )
}
