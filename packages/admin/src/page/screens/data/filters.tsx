import { X } from 'lucide-react'
import { type FormEvent, type ReactNode, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextInput } from '../../components/field.tsx'
import { Select } from '../../components/select.tsx'
import { shortText } from '../../components/visible-text.ts'
import css from './data.module.css'
import { type Filter, needsValue, type Operator, operatorsOf } from './statement.ts'

export function FilterChips({
  filters,
  onRemove,
}: {
  readonly filters: readonly Filter[]
  readonly onRemove: (index: number) => void
}): ReactNode {
  if (filters.length === 0) return null
  return (
    <ul className={css['chips']} aria-label="Filters">
      {filters.map(({ column, operator, value }, index) => {
        const text = shortText(
          [column, operator, ...(needsValue(operator) ? [value] : [])].join(' '),
          80,
        )
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same filter may be there twice
          <li key={index} className={css['chip']}>
            <bdi>{text}</bdi>
            <button type="button" aria-label={`Remove ${text}`} onClick={() => onRemove(index)}>
              <X aria-hidden />
            </button>
          </li>
        )
      })}
    </ul>
  )
}

export function FilterForm({
  columns,
  onFilter,
}: {
  readonly columns: readonly (readonly [name: string, type: string])[]
  readonly onFilter: (filter: Filter) => void
}): ReactNode {
  const [column, setColumn] = useState(columns[0]?.[0] ?? '')
  const [operator, setOperator] = useState<Operator>('=')
  const [value, setValue] = useState('')
  const type = columns.find(([name]) => name === column)?.[1] ?? 'text'
  const offered = operatorsOf(type)
  const chosen = offered.includes(operator) ? operator : (offered[0] ?? '=')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onFilter({ column, operator: chosen, value: needsValue(chosen) ? value : '' })
    setValue('')
  }
  return (
    <form className={css['filter']} aria-label="Filter" onSubmit={submit}>
      <Select
        label="Column"
        value={column}
        onValue={setColumn}
        choices={columns.map(([name, detail]) => ({
          value: name,
          label: shortText(name, 60),
          detail,
        }))}
      />
      <Select
        label="Comparison"
        value={chosen}
        onValue={(next) => setOperator(next as Operator)}
        choices={offered.map((each) => ({ value: each, label: each }))}
      />
      {needsValue(chosen) && (
        <TextInput
          aria-label="Value"
          className="mono"
          placeholder={chosen === 'one of' ? '1, 2, 3' : 'value'}
          value={value}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
      <Button type="submit" look="primary">
        Add
      </Button>
    </form>
  )
}
