/** @module The input of an action: a field for each of its properties, or JSON. */
import type { ReactNode } from 'react'
import { Field, TextArea, TextInput } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'
import type { FormField } from './form-fields.ts'
import type { ActionRun } from './use-action-run.ts'

export function ActionInputs({
  form: { fields, typed, whole, type, setWhole },
}: {
  readonly form: ActionRun
}): ReactNode {
  if (fields === undefined) {
    return (
      <Field label="Input" hint="A JSON value; empty for an action without input.">
        {(ids) => (
          <TextArea
            {...ids}
            className="mono"
            rows={6}
            value={whole}
            onChange={(event) => setWhole(event.currentTarget.value)}
          />
        )}
      </Field>
    )
  }
  if (fields.length === 0) return <p className="faint">This action takes no input.</p>
  return fields.map((field) => (
    <InputField
      key={field.name}
      field={field}
      value={typed[field.name] ?? ''}
      onValue={(text) => type(field.name, text)}
    />
  ))
}

function InputField({
  field: { name, kind, isRequired, choices, hint },
  value,
  onValue,
}: {
  readonly field: FormField
  readonly value: string
  readonly onValue: (text: string) => void
}): ReactNode {
  const label = `${shortText(name, 80)}${isRequired ? '' : ' (optional)'}`
  return (
    <Field label={label} {...(hint === '' ? {} : { hint: shortText(hint, 400) })}>
      {(ids) =>
        choices.length > 0 ? (
          <Select
            id={ids.id}
            value={value}
            onValue={onValue}
            choices={[
              { value: '', label: 'Left out' },
              ...choices.map((choice) => ({ value: choice, label: shortText(choice, 80) })),
            ]}
          />
        ) : kind === 'json' ? (
          <TextArea
            {...ids}
            className="mono"
            rows={3}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        ) : (
          <TextInput
            {...ids}
            inputMode={kind === 'number' ? 'decimal' : 'text'}
            value={value}
            onChange={(event) => onValue(event.currentTarget.value)}
          />
        )
      }
    </Field>
  )
}
