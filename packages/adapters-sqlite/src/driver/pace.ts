/** @module Where a program runs: on the main thread while its runs are known to be short, on the workers otherwise. */
import { availableParallelism } from 'node:os'
import type { Program } from './program.ts'

/** What a run took. */
export interface Run {
  readonly takenMs: number
  readonly answerBytes: number
}

export interface Pace {
  /** Shall the next run be on the main thread? Each call counts as a run. */
  isShort(): boolean
  /** Is it still so, for a run that had to wait? Another one may have been stopped meanwhile. */
  isStillShort(): boolean
  ranHere(run: Run): void
  ranOnWorker(run: Run): void
  /** A run on the main thread was stopped, or its rows were too large. */
  stoppedHere(): void
}

/**
 * The longest average time of a program on the main thread. With a single processor, the workers take their time from the main
 * thread, too, and the way to them and back costs more than a short read. In milliseconds.
 */
const usualShortMs = availableParallelism() === 1 ? 2 : 0.5

/** One run counts as so many short ones at most: on a busy machine it may have waited for a processor. */
const mostCounted = 2

/** A longer answer counts as a long run: to copy it takes time as well. */
const longAnswerBytes = 262_144

/** The weight of one run in the average. */
const weight = 1 / 16

/** A program other than a key look-up runs so often on the workers first. */
const firstRuns = 8

/** A slow program is tried on the main thread again after so many runs on the workers: the machine may have been busy. */
const retriedAfter = 500

/** After each time that it was stopped, the number of runs doubles this often at most. */
const mostDoublings = 10

/**
 * @param isKnownShort a key look-up: it starts on the main thread.
 * @param shortMs the longest average time of a run on the main thread.
 */
export function createPace(isKnownShort: boolean, shortMs: number = usualShortMs): Pace {
  const longestCountedMs = shortMs * mostCounted
  let averageMs = isKnownShort ? 0 : shortMs
  let waitsFor = isKnownShort ? 0 : firstRuns
  let stops = 0

  const counted = ({ takenMs, answerBytes }: Run): number =>
    answerBytes > longAnswerBytes ? longestCountedMs : Math.min(takenMs, longestCountedMs)
  const account = (run: Run) => {
    averageMs += (counted(run) - averageMs) * weight
  }
  return {
    isShort: () => {
      if (waitsFor === 0) return true
      waitsFor -= 1
      if (waitsFor > 0) return false
      // The workers tell how long a simple query takes; a key look-up gets another try.
      if (isKnownShort) averageMs = 0
      else if (averageMs >= shortMs) waitsFor = firstRuns
      return false
    },
    isStillShort: () => waitsFor === 0,
    ranHere: (run) => {
      account(run)
      if (averageMs <= shortMs) return
      waitsFor = retriedAfter
    },
    ranOnWorker: account,
    stoppedHere: () => {
      waitsFor = retriedAfter * 2 ** Math.min(stops, mostDoublings)
      stops += 1
    },
  }
}

const paces = new WeakMap<Program, Pace>()

export function paceOf(program: Program): Pace {
  const known = paces.get(program)
  if (known !== undefined) return known
  const made = createPace(program.isBounded)
  paces.set(program, made)
  return made
}
