/** @module The open card of the tour. It is kept in this tab, for other pages and a reload. */
import { useSyncExternalStore } from 'react'
import { type CardId, firstState, type TourState, withoutTour } from './tour-state.ts'

const key = 'engine-admin.tour'

const listeners = new Set<() => void>()

let state = takeFirstState()

function takeFirstState(): TourState {
  const { pathname, search, hash } = location
  const first = firstState(search, sessionStorage.getItem(key))
  const rest = withoutTour(search)
  if (rest !== search) history.replaceState(null, '', pathname + rest + hash)
  keep(first)
  return first
}

function keep({ card }: TourState): void {
  if (card === undefined) sessionStorage.removeItem(key)
  else sessionStorage.setItem(key, card)
}

/** @param card undefined closes the tour. */
export function showCard(card: CardId | undefined): void {
  state = { card, isTurnedTo: true }
  keep(state)
  for (const listener of listeners) listener()
}

/** The tour begins again where it is open: an answer that it shows is no longer true. */
export function restartTour(): void {
  if (state.card !== undefined) showCard('ask')
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function useTour(): TourState {
  return useSyncExternalStore(listen, () => state)
}
