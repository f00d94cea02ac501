import { Combobox as Base } from '@base-ui/react/combobox'
import { Check, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import field from './field.module.css'
import css from './popup.module.css'
import { shortText } from './visible-text.ts'

/** A choice among many, found by typing. */
export function Combobox({
  id,
  label,
  value,
  onValue,
  choices,
  placeholder,
}: {
  readonly id?: string
  readonly label?: string
  readonly value: string | null
  readonly onValue: (value: string | null) => void
  readonly choices: readonly string[]
  readonly placeholder?: string
}): ReactNode {
  return (
    <Base.Root
      items={choices as string[]}
      value={value}
      onValueChange={(next: string | null) => onValue(next)}
      limit={200}
    >
      <div className={css['combo']}>
        <Base.Input
          id={id}
          aria-label={label}
          className={field['input']}
          placeholder={placeholder}
          spellCheck={false}
        />
        <Base.Trigger className={css['chevron']} aria-label="Show all">
          <ChevronsUpDown aria-hidden />
        </Base.Trigger>
      </div>
      <Base.Portal>
        <Base.Positioner className={css['positioner']} sideOffset={4} align="start">
          <Base.Popup className={css['popup']}>
            <Base.Empty className={css['nothing']}>Nothing matches.</Base.Empty>
            <Base.List>
              {(item: string) => (
                <Base.Item key={item} value={item} className={css['item']}>
                  <span className={css['check']}>
                    <Base.ItemIndicator>
                      <Check aria-hidden />
                    </Base.ItemIndicator>
                  </span>
                  <span className={css['label']}>{shortText(item)}</span>
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
