import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
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
}: {
  readonly tabs: readonly Tab[]
  readonly value: string
  readonly onValue: (value: string) => void
}): ReactNode {
  return (
    <Base.Root
      className={css['root']}
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
        <Base.Panel key={id} value={id} className={css['panel']}>
          {content}
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
