/** @module What the parent asks an observed server, and what it answers. */

export type Question =
  /** Collects garbage first. */
  | 'memory'
  /** Begins to look for stalls. */
  | 'watch'
  /** The stalls since then. */
  | 'stalls'

export interface Memory {
  readonly heapBytes: number
  readonly rssBytes: number
}

/** A time during which the event loop ran nothing else. */
export interface Stall {
  /** From one turn of the timers to the next. */
  readonly wallMs: number
  /** Processor time of the main thread meanwhile: on a busy machine it waited for a processor the rest of the time. */
  readonly cpuMs: number
  /** The functions that ran, the most frequent first, each with its share of the samples. */
  readonly causes: readonly string[]
}

export interface Stalls {
  readonly stalls: readonly Stall[]
  /** Turns of the timers that were looked at. */
  readonly turns: number
}
