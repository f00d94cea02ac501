/** @module One condition: a column, an operator by its type, a constant or a field of the caller. */
import { X } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../../components/button.tsx'
import { TextInput } from '../../../components/field.tsx'
import { Select } from '../../../components/select.tsx'
import { shortText } from '../../../components/visible-text.ts'
import type { BuilderContext } from './builder-context.ts'
import css from './editor.module.css'
import type { Condition } from './filter-tree.ts'
import {
  emptyOperand,
  inputOf,
  type OperandKind,
  operandKind,
  operandOf,
  operatorsFor,
  textOf,
  wordsOf,
} from './operators.ts'

export function ConditionRow({
  condition,
  onCondition,
  onRemove,
  context,
}: {
  readonly condition: Condition
  readonly onCondition: (condition: Condition) => void
  readonly onRemove: () => void
  readonly context: BuilderContext
}): ReactNode {
  const { left, operator, operand } = condition
  const type = context.columns[left]?.type ?? ''
  const names = [...new Set([...Object.keys(context.columns), left])]
  const offered = [...new Set([...operatorsFor(type), operator])]
  const input = inputOf(operator, type)
  const withColumn = (name: string) => {
    const nextType = context.columns[name]?.type ?? ''
    const offeredThere: readonly string[] = operatorsFor(nextType)
    const [first = '$eq'] = offeredThere
    const kept = offeredThere.includes(operator)
      ? {}
      : { operator: first, operand: emptyOperand(first, nextType) }
    onCondition({ ...condition, left: name, ...kept })
  }
  const withOperator = (next: string) => {
    const nextInput = inputOf(next, type)
    const keeps =
      nextInput === input ||
      (operandKind(operand) === 'field' && nextInput !== 'flag' && input !== 'flag')
    onCondition({
      ...condition,
      operator: next,
      operand: keeps ? operand : emptyOperand(next, type),
    })
  }
  return (
    <div className={css['row']}>
      <Select
        label="Column"
        value={left}
        onValue={withColumn}
        choices={names.map((name) => ({
          value: name,
          label: shortText(name, 60),
          detail: context.columns[name]?.type ?? '',
        }))}
      />
      <Select
        label="Operator"
        value={operator}
        onValue={withOperator}
        choices={offered.map((name) => ({ value: name, label: wordsOf(name) }))}
      />
      {input === 'flag' ? (
        <>
          <Flag
            isSet={operand === true}
            onFlag={(next) => onCondition({ ...condition, operand: next })}
          />
          <span className={css['spring']} />
        </>
      ) : (
        <Operand
          key={`${operandKind(operand)} ${operator} ${left}`}
          operand={operand}
          operator={operator}
          type={type}
          fields={context.fields}
          onOperand={(next) => onCondition({ ...condition, operand: next })}
        />
      )}
      <Button
        look="ghost"
        size="small"
        icon={<X aria-hidden />}
        aria-label="Remove condition"
        onClick={onRemove}
      />
    </div>
  )
}

/** True or false. */
function Flag({
  isSet,
  onFlag,
}: {
  readonly isSet: boolean
  readonly onFlag: (isSet: boolean) => void
}): ReactNode {
  return (
    <Select
      label="Value"
      value={String(isSet)}
      onValue={(value) => onFlag(value === 'true')}
      choices={[
        { value: 'true', label: 'true' },
        { value: 'false', label: 'false' },
      ]}
    />
  )
}

const kinds: Readonly<Record<OperandKind, string>> = {
  value: 'value',
  field: '$user',
  now: 'now',
  written: 'as written',
}

export function Operand({
  operand,
  operator,
  type,
  fields,
  onOperand,
}: {
  readonly operand: unknown
  readonly operator: string
  readonly type: string
  readonly fields: readonly string[]
  readonly onOperand: (operand: unknown) => void
}): ReactNode {
  const kind = operandKind(operand)
  const offered: readonly OperandKind[] =
    /^(?:timestamp|date)/.test(type) || kind === 'now'
      ? ['value', 'field', 'now']
      : ['value', 'field']
  const withKind = (next: string) => {
    if (next === 'field') onOperand(`$user.${fields[0] ?? 'id'}`)
    if (next === 'now') onOperand({ $now: '-30d' })
    if (next === 'value') onOperand(emptyOperand(operator, type))
  }
  const choices = kind === 'written' ? [...offered, kind] : offered
  return (
    <>
      <Select
        label="Kind of value"
        value={kind}
        onValue={withKind}
        choices={choices.map((value) => ({ value, label: kinds[value] }))}
      />
      {kind === 'field' ? (
        <FieldName
          name={String(operand).slice('$user.'.length)}
          fields={fields}
          onName={(name) => onOperand(`$user.${name}`)}
        />
      ) : kind === 'now' ? (
        <TextInput
          aria-label="Interval from now"
          className={css['spring']}
          value={String((operand as { readonly $now: unknown }).$now)}
          onChange={(event) => onOperand({ $now: event.currentTarget.value })}
        />
      ) : kind === 'written' ? (
        <code className={css['written']}>{shortText(JSON.stringify(operand), 200)}</code>
      ) : (
        <Constant operand={operand} operator={operator} type={type} onOperand={onOperand} />
      )}
    </>
  )
}

function FieldName({
  name,
  fields,
  onName,
}: {
  readonly name: string
  readonly fields: readonly string[]
  readonly onName: (name: string) => void
}): ReactNode {
  const id = useId()
  return (
    <>
      <TextInput
        aria-label="Field of the caller"
        className={css['spring']}
        list={id}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <datalist id={id}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
    </>
  )
}

function Constant({
  operand,
  operator,
  type,
  onOperand,
}: {
  readonly operand: unknown
  readonly operator: string
  readonly type: string
  readonly onOperand: (operand: unknown) => void
}): ReactNode {
  // The text stays as it is typed: "1," is not yet a list of two.
  const [text, setText] = useState(() => textOf(operand))
  const own = operandOf(text, operator, type)
  const shown = JSON.stringify(own) === JSON.stringify(operand) ? text : textOf(operand)
  const input = inputOf(operator, type)
  if (input === 'one' && /^bool/.test(type)) {
    return <Flag isSet={operand === true} onFlag={onOperand} />
  }
  const hint = input === 'list' ? 'a, b, c' : input === 'range' ? 'from, to' : 'value'
  return (
    <TextInput
      aria-label="Value"
      className={css['spring']}
      placeholder={hint}
      value={shown}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        onOperand(operandOf(next, operator, type))
      }}
    />
  )
}
