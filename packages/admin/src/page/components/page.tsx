/** @module The parts of every screen: head, card, list of facts. */
import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import css from './page.module.css'

/** @param isFull the content has the height of the window and scrolls inside. */
export function Page({
  title,
  lead,
  actions,
  children,
  isFull = false,
}: {
  readonly title: ReactNode
  readonly lead?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  readonly isFull?: boolean
}): ReactNode {
  return (
    <div className={classes(css['page'], isFull && css['full'])}>
      <header className={css['head']}>
        <div className={css['titles']}>
          <h1 className={css['title']}>{title}</h1>
          {lead !== undefined && <p className={css['lead']}>{lead}</p>}
        </div>
        {actions !== undefined && <div className={css['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export function Card({
  title,
  actions,
  children,
  isFlush = false,
  isFull = false,
}: {
  readonly title?: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
  /** Without padding: tables and lists reach the edge. */
  readonly isFlush?: boolean
  readonly isFull?: boolean
}): ReactNode {
  return (
    <section className={classes(css['card'], isFull && css['cardFull'])}>
      {(title !== undefined || actions !== undefined) && (
        <div className={css['cardHead']}>
          <h2 className={css['cardTitle']}>{title}</h2>
          {actions}
        </div>
      )}
      {isFlush ? children : <div className={css['cardBody']}>{children}</div>}
    </section>
  )
}

export function Toolbar({ children }: { readonly children: ReactNode }): ReactNode {
  return <div className={css['toolbar']}>{children}</div>
}

/** Names and values, one pair in a line. */
export function Facts({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[]
}): ReactNode {
  return (
    <dl className={css['facts']}>
      {facts.map(([name, value]) => (
        <div key={name} className={css['fact']}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

export function Stat({
  label,
  value,
  detail,
}: {
  readonly label: string
  readonly value: ReactNode
  readonly detail?: ReactNode
}): ReactNode {
  return (
    <div className={css['stat']}>
      <div className={css['statLabel']}>{label}</div>
      <div className={css['statValue']}>{value}</div>
      {detail !== undefined && <div className={css['statDetail']}>{detail}</div>}
    </div>
  )
}
