/** @module Limits how many statements run at a time. Others wait for a slot, and callers take turns. */

import { cancelled } from '../../foundation/adapter-errors.ts'
import { createDeadlineTimer } from '../../foundation/deadline-timer.ts'
import { GatewayError } from '../../foundation/errors.ts'

/** The connection and the caller that a slot counts for. */
export interface SlotKey {
  /** undefined: not counted by connection. */
  readonly connection: string | undefined
  /** undefined: not counted by caller, as with the master key. */
  readonly caller: string | undefined
}

/** How long to wait for a slot. */
export interface WaitOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

export interface Concurrency {
  /**
   * Takes a slot, which `leave` releases. Callers are served in turn, one statement each, and the statements of one caller in the
   * order of their arrival, however many of them wait.
   *
   * @returns undefined when a slot was free; otherwise a promise of the milliseconds waited.
   * @throws {GatewayError} `unavailable` (503) when too many are waiting, `queryTimeout` when no slot became free in time,
   *   `cancelled` when `signal` is aborted.
   */
  enter(key: SlotKey, wait: WaitOptions): Promise<number> | undefined
  leave(key: SlotKey): void
  /** Replaces the limits. What runs goes on, and counts against the new ones; what waits is admitted as far as they allow. */
  change(limits: ConcurrencyOptions): void
  /** For metrics. */
  load(): Load
}

/** Statements that run and wait now. */
export interface Load {
  readonly running: number
  readonly waiting: number
  /** Callers that run or wait. */
  readonly callers: number
}

export interface ConcurrencyOptions {
  readonly perCaller: number
  /** By name; other connections have no limit. */
  readonly perConnection: ReadonlyMap<string, number>
  /** Statements that may wait, of all callers together. */
  readonly maxQueued: number
}

/** A limit and the number of statements that count against it. */
interface Gate {
  most: number
  running: number
}

/** One caller: how many of its statements run, and those that wait, longest first. */
interface Lane extends Gate {
  readonly key: string
  readonly isCounted: boolean
  readonly waiting: Waiter[]
}

interface Waiter {
  readonly gate: Gate | undefined
  readonly signal: AbortSignal | undefined
  readonly sinceMs: number
  readonly deadlineMs: number
  /** No slot became free in time. */
  readonly expire: () => void
  /** Its caller has gone. */
  readonly abandon: () => void
  readonly admit: (waitedMs: number) => void
  readonly refuse: (error: GatewayError) => void
}

/**
 * Interval in milliseconds at which waiting statements are left whose callers have gone: listening to each signal costs more than
 * everything else about a place in the line.
 */
const lookMs = 25

/** The key of all statements that do not count for a caller. */
const uncounted = ''

export function createConcurrency(options: ConcurrencyOptions): Concurrency {
  return new TurnTaking(options)
}

class TurnTaking implements Concurrency {
  #perCaller: number
  #maxQueued: number
  /** By connection. */
  readonly #gates = new Map<string, Gate>()
  readonly #lanes = new Map<string, Lane>()
  /** Lanes with waiting statements; the first lane has the next turn. */
  readonly #turns = new Set<Lane>()
  #running = 0
  #waiting = 0
  readonly #deadlines = createDeadlineTimer((nowMs) => this.#expireUntil(nowMs))

  constructor({ perCaller, maxQueued, perConnection }: ConcurrencyOptions) {
    this.#perCaller = perCaller
    this.#maxQueued = maxQueued
    this.#setGates(perConnection)
  }

  enter({ connection, caller }: SlotKey, wait: WaitOptions): Promise<number> | undefined {
    const lane = this.#laneOf(caller)
    const gate = this.#gateOf(connection)
    if (hasFreeSlot(lane) && hasFreeSlot(gate)) {
      this.#start(lane, gate)
      return undefined
    }
    try {
      if (wait.signal?.aborted) throw cancelled()
      this.#makeRoom(lane)
    } catch (error) {
      this.#forget(lane)
      throw error
    }
    return this.#waitForSlot(lane, gate, wait)
  }

  leave({ connection, caller }: SlotKey): void {
    const lane = this.#laneOf(caller)
    const gate = this.#gateOf(connection)
    lane.running -= 1
    // A statement may have begun before its connection had a limit.
    if (gate !== undefined && gate.running > 0) gate.running -= 1
    this.#running -= 1
    this.#forget(lane)
    if (this.#turns.size > 0) this.#serveNext()
  }

  change({ perCaller, maxQueued, perConnection }: ConcurrencyOptions): void {
    this.#perCaller = perCaller
    this.#maxQueued = maxQueued
    for (const lane of this.#lanes.values()) if (lane.isCounted) lane.most = perCaller
    this.#setGates(perConnection)
    while (this.#serveNext(Number.POSITIVE_INFINITY) > 0);
  }

  load(): Load {
    return { running: this.#running, waiting: this.#waiting, callers: this.#lanes.size }
  }

  #laneOf(caller: string | undefined): Lane {
    const key = caller ?? uncounted
    const known = this.#lanes.get(key)
    if (known !== undefined) return known
    const isCounted = caller !== undefined
    const most = isCounted ? this.#perCaller : Number.POSITIVE_INFINITY
    const lane: Lane = { key, isCounted, most, running: 0, waiting: [] }
    this.#lanes.set(key, lane)
    return lane
  }

  #gateOf(connection: string | undefined): Gate | undefined {
    return connection === undefined ? undefined : this.#gates.get(connection)
  }

  #start(lane: Lane, gate: Gate | undefined): void {
    lane.running += 1
    if (gate !== undefined) gate.running += 1
    this.#running += 1
  }

  #forget(lane: Lane): void {
    if (lane.running === 0 && lane.waiting.length === 0) this.#lanes.delete(lane.key)
  }

  /** Takes a waiter out of its lane, which keeps its turn. */
  #remove(lane: Lane, waiter: Waiter): void {
    lane.waiting.splice(lane.waiting.indexOf(waiter), 1)
    this.#waiting -= 1
    if (lane.waiting.length === 0) this.#turns.delete(lane)
    this.#forget(lane)
  }

  #serve(lane: Lane, waiter: Waiter): void {
    const turns = this.#turns
    this.#start(lane, waiter.gate)
    this.#remove(lane, waiter)
    if (turns.size > 1 && turns.delete(lane)) turns.add(lane)
    waiter.admit(performance.now() - waiter.sinceMs)
  }

  /** A finished statement admits at most two waiting ones: one on its connection, one of its caller. */
  #serveNext(most = 2): number {
    let served = 0
    for (const lane of this.#turns) {
      if (!hasFreeSlot(lane)) continue
      const next = lane.waiting.find(({ gate }) => hasFreeSlot(gate))
      if (next === undefined) continue
      this.#serve(lane, next)
      served += 1
      if (served === most) break
    }
    return served
  }

  /** A connection without a limit keeps its count while statements run there: its name may come back. */
  #setGates(perConnection: ReadonlyMap<string, number>): void {
    const gates = this.#gates
    for (const [name, gate] of gates) {
      gate.most = perConnection.get(name) ?? Number.POSITIVE_INFINITY
      if (gate.running === 0 && !perConnection.has(name)) gates.delete(name)
    }
    for (const [name, most] of perConnection) {
      if (!gates.has(name)) gates.set(name, { most, running: 0 })
    }
  }

  /** When too many wait, refuses the last statement of the caller with most waiting ones; then the newcomer may wait. */
  #makeRoom(newcomer: Lane): void {
    if (this.#waiting < this.#maxQueued) return
    let longest = newcomer
    for (const lane of this.#turns) {
      if (lane.waiting.length > longest.waiting.length) longest = lane
    }
    const last = longest.waiting.at(-1)
    const isFairer = longest.waiting.length > newcomer.waiting.length + 1
    if (last === undefined || !isFairer) throw overloaded()
    this.#remove(longest, last)
    last.refuse(overloaded())
  }

  /** @returns when to look again; undefined where none waits any longer. */
  #expireUntil(nowMs: number): number | undefined {
    const over: Waiter[] = []
    let nextMs = nowMs + lookMs
    for (const lane of this.#turns) {
      for (const waiter of lane.waiting) {
        if (waiter.deadlineMs <= nowMs || waiter.signal?.aborted) over.push(waiter)
        else if (waiter.deadlineMs < nextMs) nextMs = waiter.deadlineMs
      }
    }
    for (const waiter of over) {
      if (waiter.deadlineMs <= nowMs) waiter.expire()
      else waiter.abandon()
    }
    return this.#waiting === 0 ? undefined : nextMs
  }

  #waitForSlot(
    lane: Lane,
    gate: Gate | undefined,
    { timeoutMs, signal }: WaitOptions,
  ): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const sinceMs = performance.now()
    const giveUp = (error: GatewayError) => {
      this.#remove(lane, waiter)
      reject(error)
    }
    const waiter: Waiter = {
      gate,
      signal,
      sinceMs,
      deadlineMs: sinceMs + timeoutMs,
      expire: () => giveUp(noSlotInTime(timeoutMs)),
      abandon: () => giveUp(cancelled()),
      admit: resolve,
      refuse: reject,
    }
    lane.waiting.push(waiter)
    this.#waiting += 1
    this.#turns.add(lane)
    this.#deadlines.expect(Math.min(waiter.deadlineMs, sinceMs + lookMs))
    return promise
  }
}

function hasFreeSlot(gate: Gate | undefined): boolean {
  return gate === undefined || gate.running < gate.most
}

function overloaded(): GatewayError {
  return new GatewayError('unavailable', 'The server is overloaded. Try again in a moment.', {
    sqlState: '53300',
  })
}

function noSlotInTime(timeoutMs: number): GatewayError {
  return new GatewayError('queryTimeout', `There was no room to run within ${timeoutMs} ms.`, {
    sqlState: '57014',
  })
}
