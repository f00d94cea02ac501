import type { ReactNode } from 'react'
import css from './badge.module.css'
import { classes } from './classes.ts'
import { shortText } from './visible-text.ts'

export type Tone = 'grey' | 'green' | 'amber' | 'red' | 'blue' | 'violet'

export function Badge({
  tone = 'grey',
  children,
}: {
  readonly tone?: Tone
  readonly children: ReactNode
}): ReactNode {
  return <span className={classes(css['badge'], css[tone])}>{children}</span>
}

/** A coloured dot with its meaning as text. */
export function Status({
  tone,
  children,
}: {
  readonly tone: Tone
  readonly children: ReactNode
}): ReactNode {
  return (
    <span className={css['status']}>
      <span className={classes(css['dot'], css[tone])} aria-hidden />
      {children}
    </span>
  )
}

/** Several short names in one line. */
export function Tags({
  names,
  empty = '—',
  limit = 3,
}: {
  readonly names: readonly string[]
  readonly empty?: string
  readonly limit?: number
}): ReactNode {
  if (names.length === 0) return <span className={css['none']}>{empty}</span>
  const more = names.length - limit
  return (
    <span className={css['tags']} title={shortText(names.join(', '), 500)}>
      {names.slice(0, limit).map((name) => (
        <Badge key={name}>
          <bdi>{shortText(name, 60)}</bdi>
        </Badge>
      ))}
      {more > 0 && <Badge>+{more}</Badge>}
    </span>
  )
}
