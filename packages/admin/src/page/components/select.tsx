import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import css from './popup.module.css'

export interface Choice {
  readonly value: string
  readonly label: string
  readonly detail?: string
}

/** @param label its name for screen readers. */
export function Select({
  label,
  id,
  value,
  onValue,
  choices,
}: {
  readonly label?: string
  readonly id?: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly choices: readonly Choice[]
}): ReactNode {
  return (
    <Base.Root
      items={choices as Choice[]}
      value={value}
      onValueChange={(next: string | null) => next !== null && onValue(next)}
    >
      <Base.Trigger id={id} className={css['trigger']} aria-label={label}>
        <Base.Value className={css['value']} />
        <Base.Icon>
          <ChevronsUpDown aria-hidden />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          className={css['positioner']}
          sideOffset={4}
          alignItemWithTrigger={false}
          align="start"
        >
          <Base.Popup className={css['popup']}>
            {choices.map((choice) => (
              <Base.Item key={choice.value} value={choice.value} className={css['item']}>
                <span className={css['check']}>
                  <Base.ItemIndicator>
                    <Check aria-hidden />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText className={css['label']}>{choice.label}</Base.ItemText>
                {choice.detail !== undefined && (
                  <span className={css['detail']}>{choice.detail}</span>
                )}
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
