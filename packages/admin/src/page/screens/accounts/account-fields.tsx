/** @module The fields of a person's account that several forms have. */
import type { ReactNode } from 'react'
import { Field, TextInput } from '../../components/field.tsx'

interface TextFieldProps {
  readonly value: string
  readonly onValue: (value: string) => void
}

export function AddressField({ value, onValue }: TextFieldProps): ReactNode {
  return (
    <Field label="Address">
      {(ids) => (
        <TextInput
          {...ids}
          type="email"
          required
          placeholder="ada@example.com"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function NameField({
  hint,
  value,
  onValue,
}: TextFieldProps & { readonly hint: string }): ReactNode {
  return (
    <Field label="Name" hint={hint}>
      {(ids) => (
        <TextInput
          {...ids}
          placeholder="Ada Lovelace"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function RolesField({
  hint,
  value,
  onValue,
}: TextFieldProps & { readonly hint: string }): ReactNode {
  return (
    <Field label="Roles" hint={hint}>
      {(ids) => (
        <TextInput
          {...ids}
          placeholder="support, reader"
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

/** The roles that a `RolesField` names, each once. */
export function rolesIn(text: string): readonly string[] {
  return [...new Set(text.split(',').flatMap((role) => role.trim() || []))]
}
