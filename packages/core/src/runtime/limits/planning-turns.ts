/**
 * @module Turns at planning. A plan is made without a pause, and a client can send complex statements faster than they can be
 * planned: without turns, the process would plan all received statements before any other work. With turns, a plan that follows a
 * long one waits until the process has handled its other requests, including health checks.
 *
 * There is one event loop: the turns belong to the process, whatever the number of engines in it.
 */
import { setImmediate } from 'node:timers'
import { cancelled } from '../../foundation/adapter-errors.ts'

/** The longest planning time without a pause, in milliseconds; later plans wait. */
const mostInOneGoMs = 5

/** The pause after planning, as a share of the planning time: it is free for other work. */
const restShare = 0.25

let spentMs = 0
let isResting = false
const waiting: (() => void)[] = []

/**
 * Called before a plan is made.
 *
 * @param signal aborted when the client no longer waits for the plan.
 * @returns undefined if it may be made at once, without an await.
 * @throws {GatewayError} `cancelled`, as a rejection, when `signal` was aborted before the turn came.
 */
export function planningTurn(signal?: AbortSignal): Promise<void> | undefined {
  if (spentMs < mostInOneGoMs && waiting.length === 0) return undefined
  return new Promise<void>((resolve, reject) => {
    waiting.push(() => (signal?.aborted === true ? reject(cancelled()) : resolve()))
  })
}

/** Records how long a plan took, in milliseconds. */
export function spendPlanning(ms: number): void {
  spentMs += ms
  if (!isResting) rest()
}

/** Lets the event loop handle pending events, then starts the next waiting plan. */
function rest(): void {
  isResting = true
  // Sockets are read after a timer of zero milliseconds and an immediate; the timer also lets pending answers be sent.
  if (spentMs < mostInOneGoMs) setImmediate(next)
  else setTimeout(next, spentMs * restShare)
}

function next(): void {
  isResting = false
  spentMs = 0
  const start = waiting.shift()
  if (start === undefined) return
  start()
  // The next plan, if any, is made right after this callback: when `rest` runs, its time is known.
  isResting = true
  setImmediate(rest)
}
