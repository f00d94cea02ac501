import type { ReportBuilder } from './report.ts'
import { createClock, type RunOptions } from './session.ts'

/** A world that statements can be run in. */
export interface OpenWorld {
  /** @returns how many statements that were; 0 where none could be run. */
  readonly run: (index: number) => Promise<number>
  /** No more can be learned in it. */
  readonly isOver: () => boolean
  readonly close: () => Promise<void>
}

/** Opens one world after the other, and runs its statements until the run ends. */
export async function runWorlds(
  options: RunOptions,
  report: ReportBuilder,
  open: (seed: number) => Promise<OpenWorld>,
): Promise<void> {
  const { only, maxFindings, perWorld, onProgress } = options
  const clock = createClock(options)
  let done = 0
  for (let seed = options.seed; clock.goesOn(done); seed += 1) {
    const world = await open(seed)
    try {
      for (let i = 0; i < perWorld && clock.goesOn(done) && !world.isOver(); i += 1) {
        if (only === undefined || only === i) done += await world.run(i)
      }
    } finally {
      await world.close()
    }
    onProgress(`seed ${seed}: ${done} statements, ${report.findingCount()} findings`)
    if (report.findingCount() >= maxFindings || only !== undefined || report.isLost()) return
  }
}
