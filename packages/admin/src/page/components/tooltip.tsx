import { Tooltip as Base } from '@base-ui/react/tooltip'
import type { ReactElement, ReactNode } from 'react'
import css from './popup.module.css'

/** A text that appears with the pointer or the focus on `children`, which can be focused. */
export function Tooltip({
  text,
  children,
}: {
  readonly text: ReactNode
  readonly children: ReactElement
}): ReactNode {
  return (
    <Base.Root>
      <Base.Trigger render={children} />
      <Base.Portal>
        <Base.Positioner className={css['positioner']} sideOffset={6}>
          <Base.Popup className={css['tip']}>{text}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
