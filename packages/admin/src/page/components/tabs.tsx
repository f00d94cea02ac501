import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './tabs.module.css'

export interface Tab {
  readonly id: string
  readonly label: ReactNode
  readonly count?: number
  readonly content: ReactNode
}

export function Tabs({
  tabs,
  value,
  onValue,
  isFull = false,
}: {
  readonly tabs: readonly Tab[]
  readonly value: string
  readonly onValue: (value: string) => void
  /** The content takes the height that is left, and scrolls inside. */
  readonly isFull?: boolean
}): ReactNode {
  return (
    <Base.Root
      className={classes(css['root'], isFull && css['rootFull'])}
      value={value}
      onValueChange={(next: unknown) => onValue(String(next))}
    >
      <Base.List className={css['list']}>
        {tabs.map(({ id, label, count }) => (
          <Base.Tab key={id} value={id} className={css['tab']}>
            {label}
            {count !== undefined && <span className={css['count']}>{count}</span>}
          </Base.Tab>
        ))}
        <Base.Indicator className={css['indicator']} renderBeforeHydration={false} />
      </Base.List>
      {tabs.map(({ id, content }) => (
        <Base.Panel
          key={id}
          value={id}
          className={classes(css['panel'], isFull && css['panelFull'])}
        >
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
