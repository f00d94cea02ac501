import type { ReactNode } from 'react'
import { Field, TextInput } from '../../components/field.tsx'

/** Parameters of a statement, as a JSON list. */
export function ParametersField({
  value,
  onValue,
}: {
  readonly value: string
  readonly onValue: (text: string) => void
}): ReactNode {
  return (
    <Field label="Parameters" hint="A JSON list: $1 is the first.">
      {(ids) => (
        <TextInput
          {...ids}
          className="mono"
          placeholder='[7, "paid"]'
          value={value}
          onChange={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}
