/**
 * @module Turns at planning. A plan is made in one go, and a client can send statements that take long to plan faster than
 * they are planned: without turns, all that have arrived are planned before anything else is looked at. With them, a plan
 * that follows a long one waits until the process has seen to its other requests, health checks among them.
 *
 * There is one event loop: the turns belong to the process, whatever engines are in it.
 */
import { setImmediate } from 'node:timers'
import { cancelled } from '../../foundation/adapter-errors.ts'

/** Planning time without a pause, in milliseconds; plans after that wait. */
const mostInOneGoMs = 5

/** Share of the planning time that the process then keeps free for other work. */
const restShare = 0.25

let spentMs = 0
let isResting = false
const waiting: (() => void)[] = []

/**
 * Asked before a plan is made.
 *
 * @param signal aborted when the client no longer waits for the plan.
 * @returns undefined where it may be made at once, before anything is awaited.
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

/** Lets the event loop handle what has arrived, then starts the next waiting plan. */
function rest(): void {
  isResting = true
  // Sockets are read after a timer of zero milliseconds and an immediate; the timer also lets their answers be sent.
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
