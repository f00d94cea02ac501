/** @module Records which targets had failed at which time, to know which failures have a reason. */
import type { Target } from '../target.ts'

/** A fault, from before it began until its target had recovered. Times are those of `performance.now()`. */
export interface Fault {
  readonly name: string
  readonly target: Target
  readonly startMs: number
  /** Infinity while it lasts. */
  readonly endMs: number
}

export interface Timeline {
  /** A fault begins. @returns a function to call when its target has recovered. */
  begin(name: string, target: Target): () => Fault
  /** Returns whether a request between these two times may have met a fault of a target. */
  explains(targets: readonly Target[], startMs: number, endMs: number): boolean
  readonly faults: readonly Fault[]
}

/** @param recoveryMs after this number of milliseconds a request must succeed again */
export function createTimeline(recoveryMs: number): Timeline {
  const faults: Fault[] = []
  return {
    faults,
    begin: (name, target) => {
      const begun: Fault = { name, target, startMs: performance.now(), endMs: Infinity }
      const index = faults.push(begun) - 1
      return () => {
        const ended = { ...begun, endMs: performance.now() }
        faults[index] = ended
        return ended
      }
    },
    explains: (targets, startMs, endMs) =>
      faults.some(
        (fault) =>
          targets.includes(fault.target) &&
          fault.startMs <= endMs &&
          startMs <= fault.endMs + recoveryMs,
      ),
  }
}
