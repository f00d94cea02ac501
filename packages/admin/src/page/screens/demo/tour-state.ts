/** @module The cards of the tour: what is asked, which one is shown, and whether the rule has been changed. */
import type { DemoAccount, PermissionMatrix } from '@engine/contract/admin-api'

/** `ask`: the statement is refused. `allow`: the rule is changed. `again`: the statement is answered. */
export const cardIds = ['ask', 'allow', 'again'] as const

export type CardId = (typeof cardIds)[number]

/** What the tour asks, and the rule that decides about it. */
export const tour = {
  sql: 'select name, unit_price, cost from products limit 3',
  role: 'customer',
  table: 'main.products',
  column: 'cost',
  rule: 'everyone-reads-the-catalogue',
} as const

export interface TourState {
  /** undefined: the tour is closed. */
  readonly card: CardId | undefined
  /** A button has opened the card: it gets the focus. A page that loads leaves the focus where it is. */
  readonly isTurnedTo: boolean
}

/**
 * The tour as a page begins with it.
 *
 * @param search of the address; `tour=1` begins the tour, unless it is open.
 * @param kept the card that was open before a reload, as it was kept.
 */
export function firstState(search: string, kept: string | null): TourState {
  const card = cardIds.find((id) => id === kept)
  const isAsked = new URLSearchParams(search).get('tour') === '1'
  return { card: card ?? (isAsked ? 'ask' : undefined), isTurnedTo: false }
}

/** The address without `tour`: a tour that was closed does not begin again at a reload. */
export function withoutTour(search: string): string {
  const query = new URLSearchParams(search)
  if (!query.has('tour')) return search
  query.delete('tour')
  return query.size === 0 ? '' : `?${query}`
}

/** The card before (-1) or after (1); undefined at the ends. */
export function cardBeside(card: CardId, step: -1 | 1): CardId | undefined {
  return cardIds[cardIds.indexOf(card) + step]
}

export function accountOfTour(accounts: readonly DemoAccount[]): DemoAccount | undefined {
  return accounts.find(({ role }) => role === tour.role)
}

/** Can the role read the column, by any rule? */
export function isGranted({ isOpen, entries }: PermissionMatrix): boolean {
  if (isOpen) return true
  return entries.some(
    ({ role, table, operation, grants }) =>
      role === tour.role &&
      table === tour.table &&
      operation === 'select' &&
      grants.some(({ columns = '*' }) => columns === '*' || columns.includes(tour.column)),
  )
}
