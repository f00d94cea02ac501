/** @module Callers that wait for one of the sessions in use, in the order of their arrival. */
import { cancelled } from '../../foundation/adapter-errors.ts'

/** A caller that has left the line: it must get a session or an error. */
export interface Waiter<Session> {
  readonly signal: AbortSignal | undefined
  give(session: Session): void
  fail(error: unknown): void
}

/** Callers that wait for a session, first come, first served; each waits for the same time at most. */
export interface WaitingLine<Session> {
  /** @throws {GatewayError} the error of `late` when none became free in time; `cancelled`. */
  enter(signal: AbortSignal | undefined): Promise<Session>
  /** Takes the first one out of the line. */
  next(): Waiter<Session> | undefined
  readonly length: () => number
}

interface Place<Session> extends Waiter<Session> {
  readonly deadlineMs: number
  readonly abandon: () => void
}

/**
 * One timer for all: they wait equally long, so that the first one is the first whose time is up.
 *
 * @param late makes the error of a caller whose time is up.
 */
export function createWaitingLine<Session>(
  patienceMs: number,
  late: () => Error,
): WaitingLine<Session> {
  const places: Place<Session>[] = []
  let timer: NodeJS.Timeout | undefined

  const next = (): Place<Session> | undefined => {
    const first = places.shift()
    first?.signal?.removeEventListener('abort', first.abandon)
    return first
  }
  const expire = () => {
    timer = undefined
    const now = performance.now()
    while ((places[0]?.deadlineMs ?? Number.POSITIVE_INFINITY) <= now) {
      next()?.fail(late())
    }
    watch()
  }
  const watch = () => {
    const [first] = places
    if (first === undefined || timer !== undefined) return
    timer = setTimeout(expire, Math.max(1, first.deadlineMs - performance.now())).unref()
  }
  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const place: Place<Session> = {
          signal,
          deadlineMs: performance.now() + patienceMs,
          give: resolve,
          fail: reject,
          abandon: () => {
            places.splice(places.indexOf(place), 1)
            reject(cancelled())
          },
        }
        signal?.addEventListener('abort', place.abandon, { once: true })
        places.push(place)
        watch()
      }),
    next,
    length: () => places.length,
  }
}
