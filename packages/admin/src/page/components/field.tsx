/** @module Labelled inputs. */
import { Search } from 'lucide-react'
import {
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
  useId,
} from 'react'
import { classes } from './classes.ts'
import css from './field.module.css'

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | undefined
  /** The input, with the ids that tie it to its label and texts. */
  readonly children: (ids: {
    readonly id: string
    readonly 'aria-describedby': string | undefined
    readonly 'aria-invalid': true | undefined
  }) => ReactNode
}

export function Field({ label, hint, error, children }: FieldProps): ReactNode {
  const id = useId()
  const isDescribed = hint !== undefined || error !== undefined
  return (
    <div className={css['field']}>
      <label className={css['label']} htmlFor={id}>
        {label}
      </label>
      {children({
        id,
        'aria-describedby': isDescribed ? `${id}-text` : undefined,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {isDescribed && (
        <p
          id={`${id}-text`}
          role={error === undefined ? undefined : 'alert'}
          className={error === undefined ? css['hint'] : css['error']}
        >
          {error ?? hint}
        </p>
      )}
    </div>
  )
}

export function TextInput({
  className,
  ...rest
}: InputHTMLAttributes<HTMLInputElement> & { readonly ref?: Ref<HTMLInputElement> }): ReactNode {
  return (
    <input
      spellCheck={false}
      autoComplete="off"
      {...rest}
      className={classes(css['input'], className)}
    />
  )
}

export function TextArea({
  className,
  ...rest
}: TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  return (
    <textarea
      spellCheck={false}
      rows={4}
      {...rest}
      className={classes(css['input'], css['area'], className)}
    />
  )
}

/** Chooses one file. */
export function FileInput({
  onFile,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'type'> & {
  readonly onFile: (file: File) => void
}): ReactNode {
  return (
    <input
      {...rest}
      type="file"
      className={css['file']}
      onChange={({ currentTarget: { files } }) => files?.[0] !== undefined && onFile(files[0])}
    />
  )
}

/** @param label its name for screen readers; shown as the placeholder. */
export function SearchInput({
  label,
  value,
  onValue,
  keyHint,
  ref,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly keyHint?: string
  readonly ref?: Ref<HTMLInputElement>
}): ReactNode {
  return (
    <div className={css['search']}>
      <Search aria-hidden />
      <input
        ref={ref}
        type="search"
        spellCheck={false}
        autoComplete="off"
        className={css['input']}
        aria-label={label}
        placeholder={label}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value)}
      />
      {keyHint !== undefined && value === '' && <kbd className={css['key']}>{keyHint}</kbd>}
    </div>
  )
}
