/** @module Whether requests reach the server, as the last of them has shown. */
import { useSyncExternalStore } from 'react'

/** Milliseconds since 1970; undefined: the last request had an answer. */
let lostAtMs: number | undefined

const listeners = new Set<() => void>()

function note(next: number | undefined): void {
  if (lostAtMs === next) return
  lostAtMs = next
  for (const listener of listeners) listener()
}

/** A request had no answer. */
export function noteLost(): void {
  note(lostAtMs ?? Date.now())
}

/** A request had an answer, be it an error. */
export function noteReached(): void {
  note(undefined)
}

/** @returns the end of it. */
export function whenReachChanges(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Since when no request reaches the server, in milliseconds since 1970; undefined while they do. */
export function lostSince(): number | undefined {
  return lostAtMs
}

export function useLostSince(): number | undefined {
  return useSyncExternalStore(whenReachChanges, lostSince)
}
