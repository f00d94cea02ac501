/** @module One option: what it does, its value, and where that comes from. */
import type { ShownOption } from '@engine/contract/admin-api'
import { RotateCcw } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { Badge, type Tone } from '../../components/badge.tsx'
import { Button } from '../../components/button.tsx'
import { TextArea, TextInput } from '../../components/field.tsx'
import { Switch } from '../../components/switch.tsx'
import { shortText } from '../../components/visible-text.ts'
import { textOf } from './draft.ts'
import type { OptionText } from './sections.ts'
import css from './settings.module.css'

const sources: Readonly<Record<ShownOption['source'], readonly [label: string, tone: Tone]>> = {
  stored: ['Stored', 'green'],
  code: ['Code', 'blue'],
  'built-in': ['Built-in', 'grey'],
}

export function OptionRow({
  text: { path, label, hint, kind, unit },
  option,
  edited,
  fault,
  isChangeable,
  onText,
}: {
  readonly text: OptionText
  readonly option: ShownOption
  /** undefined: as it is in force; null: the built-in default. */
  readonly edited: string | null | undefined
  readonly fault: string | undefined
  readonly isChangeable: boolean
  readonly onText: (text: string | null) => void
}): ReactNode {
  const id = useId()
  const shown = edited === undefined ? option.value : edited === null ? option.builtIn : undefined
  const value = shown === undefined ? (edited ?? '') : textOf(kind, shown)
  const ids = {
    id,
    'aria-describedby': `${id}-text ${id}-source`,
    'aria-invalid': fault === undefined ? undefined : (true as const),
  }
  const isLong = ['list', 'proxies', 'headers', 'long'].includes(kind)
  return (
    <div className={css['row']} data-edited={edited !== undefined}>
      <div className={css['text']}>
        <label className={css['label']} htmlFor={id}>
          {label}
        </label>
        <p id={`${id}-text`} className={css['hint']}>
          {hint}
        </p>
        <code className={css['path']}>{path}</code>
      </div>
      <div className={css['control']}>
        {!isChangeable || option.isFixed ? (
          <output id={id} className={css['value']}>
            {readable(value, kind, unit)}
          </output>
        ) : kind === 'switch' ? (
          <Switch
            label={
              <>
                {value === 'true' ? 'On' : 'Off'} <span className="visually-hidden">{label}</span>
              </>
            }
            isOn={value === 'true'}
            onChange={(isOn) => onText(String(isOn))}
          />
        ) : isLong ? (
          <TextArea
            {...ids}
            rows={kind === 'long' ? 5 : 3}
            value={value}
            onChange={(event) => onText(event.currentTarget.value)}
          />
        ) : (
          <div className={css['input']}>
            <TextInput
              {...ids}
              inputMode={kind === 'count' ? 'numeric' : 'text'}
              placeholder={option.builtIn === null ? 'none' : textOf(kind, option.builtIn)}
              value={value}
              onChange={(event) => onText(event.currentTarget.value)}
            />
            {unit !== undefined && <span className={css['unit']}>{unit}</span>}
          </div>
        )}
        {fault !== undefined && (
          <p role="alert" className={css['fault']}>
            {fault}
          </p>
        )}
        <Source
          id={`${id}-source`}
          option={option}
          kind={kind}
          edited={edited}
          onReset={isChangeable && !option.isFixed ? () => onText(null) : undefined}
        />
      </div>
    </div>
  )
}

function Source({
  id,
  option,
  kind,
  edited,
  onReset,
}: {
  readonly id: string
  readonly option: ShownOption
  readonly kind: OptionText['kind']
  readonly edited: string | null | undefined
  readonly onReset: (() => void) | undefined
}): ReactNode {
  const { source, value, code, builtIn, isFixed } = option
  const [name, tone] = sources[source]
  const isBuiltIn = edited === null || (edited === undefined && source === 'built-in')
  const others = [
    ...(isBuiltIn ? [] : [['Built-in', builtIn] as const]),
    ...(source === 'code' || code === null || same(code, value)
      ? []
      : [['In code', code] as const]),
  ]
  return (
    <div id={id} className={css['source']}>
      {edited === undefined ? (
        <Badge tone={tone}>{isFixed ? 'Stays in code' : name}</Badge>
      ) : (
        <Badge tone="violet">{edited === null ? 'Back to built-in' : 'Edited'}</Badge>
      )}
      {others.map(([label, other]) => (
        <span key={label}>
          {label}:{' '}
          <code>{shortText(textOf(kind, other).replaceAll('\n', ', ') || 'none', 80)}</code>
        </span>
      ))}
      {onReset !== undefined && !isBuiltIn && (
        <Button size="small" look="ghost" icon={<RotateCcw aria-hidden />} onClick={onReset}>
          Use built-in <span className="visually-hidden">{option.path}</span>
        </Button>
      )}
    </div>
  )
}

function readable(value: string, kind: OptionText['kind'], unit: string | undefined): string {
  if (value === '') return 'none'
  if (kind === 'switch') return value === 'true' ? 'On' : 'Off'
  return `${shortText(value, 2_000)}${unit === undefined ? '' : ` ${unit}`}`
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b)
}
