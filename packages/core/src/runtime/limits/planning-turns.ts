/**
 * @module Turns at planning. A plan is made in one go, and a client can send statements that take long to plan faster than
 * they are planned: without turns, all that have arrived are planned before anything else is looked at. With them, a plan
 * that follows a long one waits until the process has seen to its other requests, health checks among them.
 *
 * There is one event loop: the turns belong to the process, whatever engines are in it.
 */
import { setImmediate } from 'node:timers'
import { cancelled } from '../../foundation/adapter-errors.ts'

/** Planning that may be done in one go, in milliseconds; what comes then waits. */
const mostInOneGoMs = 5

/** After planning for so long, the process is there for other things for a fourth of it. */
const restShare = 0.25

let spentMs = 0
let isResting = false
const waiting: (() => void)[] = []

/**
 * Asked before a plan is made.
 *
 * @param signal aborted when nobody waits for the plan any more.
 * @returns undefined where it may be made at once, before anything is awaited.
 * @throws {GatewayError} `cancelled`, later, when nobody waits any more.
 */
export function planningTurn(signal?: AbortSignal): Promise<void> | undefined {
  if (spentMs < mostInOneGoMs && waiting.length === 0) return undefined
  return new Promise<void>((resolve, reject) => {
    waiting.push(() => (signal?.aborted === true ? reject(cancelled()) : resolve()))
  })
}

/** Says how long a plan took, in milliseconds. */
export function spendPlanning(ms: number): void {
  spentMs += ms
  if (!isResting) rest()
}

/** The turn of the next one comes when what has arrived meanwhile is seen to. */
function rest(): void {
  isResting = true
  // Behind a timer of zero milliseconds and an immediate come the sockets; the timer lets answers to them be sent as well.
  if (spentMs < mostInOneGoMs) setImmediate(next)
  else setTimeout(next, spentMs * restShare)
}

function next(): void {
  isResting = false
  spentMs = 0
  const start = waiting.shift()
  if (start === undefined) return
  start()
  // It plans behind this callback, if at all: what it spends is known by then.
  isResting = true
  setImmediate(rest)
}
