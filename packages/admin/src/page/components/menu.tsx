import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import css from './popup.module.css'

export interface MenuEntry {
  readonly label: string
  readonly icon?: ReactNode
  readonly detail?: string
  readonly isDanger?: boolean
  readonly isDisabled?: boolean
  readonly onSelect: () => void
}

/** @param trigger the button that opens it. A null entry separates groups. */
export function Menu({
  trigger,
  entries,
  align = 'end',
}: {
  readonly trigger: ReactElement
  readonly entries: readonly (MenuEntry | null)[]
  readonly align?: 'start' | 'end'
}): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className={css['positioner']} sideOffset={4} align={align}>
          <Base.Popup className={css['popup']}>
            {entries.map((entry, index) =>
              entry === null ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no other key
                <Base.Separator key={index} className={css['separator']} />
              ) : (
                <Base.Item
                  key={entry.label}
                  className={css['item']}
                  disabled={entry.isDisabled === true}
                  data-danger={entry.isDanger || undefined}
                  onClick={entry.onSelect}
                >
                  {entry.icon}
                  <span className={css['label']}>{entry.label}</span>
                  {entry.detail !== undefined && (
                    <span className={css['detail']}>{entry.detail}</span>
                  )}
                </Base.Item>
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
