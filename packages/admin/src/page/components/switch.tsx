import { Switch as Base } from '@base-ui/react/switch'
import type { ReactNode } from 'react'
import css from './switch.module.css'

export function Switch({
  label,
  isOn,
  onChange,
  isDanger = false,
  isDisabled = false,
}: {
  readonly label: ReactNode
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
}): ReactNode {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: Base UI puts an input into the switch
    <label className={css['row']}>
      <Base.Root
        className={css['track']}
        checked={isOn}
        disabled={isDisabled}
        data-danger={isDanger || undefined}
        onCheckedChange={onChange}
      >
        <Base.Thumb className={css['thumb']} />
      </Base.Root>
      <span>{label}</span>
    </label>
  )
}
