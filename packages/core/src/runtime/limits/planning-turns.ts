/**
 * @module Turns at planning. A client can send complex statements faster than they can be planned, and a single one can take a
 * tenth of a second. A plan is therefore made in steps, and all plans together get a slice of each turn of the event loop: a plan
 * that is not complete by then continues after the process has handled its other requests, including health checks.
 *
 * There is one event loop: the turns belong to the process, whatever the number of engines in it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate } from 'node:timers'
import { cancelled } from '../../foundation/adapter-errors.ts'
import type { Steps } from '../../foundation/steps.ts'

/** A turn that has spent this many milliseconds on planning begins no further plan, and continues none. */
const beginMs = 4

/** The first slice of a plan ends when its turn has spent this much: a short plan that was begun is completed. */
const pauseMs = 5

/** The pause after a slice, as a share of the time it took: it is free for other work. */
const restShare = 0.25

/** Plans in the middle of being made: the trees of each take memory. Others wait to begin. */
const mostBegun = 2

/** A plan that waits for its next slice. */
interface WaitingPlan {
  isBegun: boolean
  /** Does some steps; true when there are no more. Never throws. */
  readonly advance: () => boolean
}

let spentMs = 0
let isResting = false
let begun = 0
const waiting: WaitingPlan[] = []

/**
 * Makes a plan: at once where there is time left in this turn of the event loop, else in several turns. Plans that take several
 * turns take them one after the other, two at a time: a short one waits for a long one only where two of these are being made.
 *
 * @param signal aborted when the client no longer waits for the plan.
 * @returns the result, without a promise where the plan was made at once.
 * @throws {GatewayError} what the steps throw; `cancelled`, as a rejection, when `signal` was aborted before the last turn.
 */
export function inPlanningTurns<T>(
  steps: Steps<T>,
  signal?: AbortSignal,
  clock: () => number = () => performance.now(),
): T | Promise<T> {
  const mayBegin = waiting.length === 0 && spentMs < beginMs
  const first = mayBegin ? slice(steps, clock, pauseMs) : undefined
  if (first?.done === true) return first.value
  return new Promise<T>((resolve, reject) => {
    const inContext = AsyncLocalStorage.snapshot()
    let untilMs = mayBegin ? beginMs : pauseMs
    const advance = (): boolean => {
      try {
        const isAborted = signal?.aborted === true
        const step = inContext(() =>
          isAborted ? steps.throw(cancelled()) : slice(steps, clock, untilMs),
        )
        untilMs = beginMs
        if (step.done !== true) return false
        resolve(step.value)
      } catch (error) {
        reject(error)
      }
      return true
    }
    if (mayBegin) begun += 1
    waiting.push({ isBegun: mayBegin, advance })
  })
}

/** Does steps until this turn has spent `untilMs`; at least one. */
function slice<T>(
  steps: Steps<T>,
  clock: () => number,
  untilMs: number,
): IteratorResult<undefined, T> {
  const startMs = clock()
  const leftMs = untilMs - spentMs
  try {
    for (;;) {
      const step = steps.next()
      if (step.done === true || clock() - startMs >= leftMs) return step
    }
  } finally {
    spendPlanning(clock() - startMs)
  }
}

/** Records planning outside of `inPlanningTurns`, in milliseconds. */
export function spendPlanning(ms: number): void {
  spentMs += ms
  if (!isResting) rest()
}

/**
 * Lets the event loop handle pending events, then lets waiting plans continue. Sockets are read after a timer and an immediate; the
 * timer also lets pending answers be sent. An immediate alone would follow what has just been planned for a request in the same
 * turn: it is enough only where the slice is not spent.
 */
function rest(): void {
  isResting = true
  setImmediate(() => {
    if (spentMs < beginMs) next()
    else setTimeout(next, spentMs * restShare)
  })
}

function next(): void {
  spentMs = 0
  while (spentMs < beginMs && waiting.length > 0) advanceNext()
  isResting = false
  if (spentMs > 0) rest()
}

function advanceNext(): void {
  const [plan] = waiting.splice(
    waiting.findIndex(({ isBegun }) => isBegun || begun < mostBegun),
    1,
  )
  if (plan === undefined) return
  if (!plan.isBegun) {
    plan.isBegun = true
    begun += 1
  }
  if (plan.advance()) begun -= 1
  else waiting.push(plan)
}
