/** `threadCpuUsage` is absent before Node 23.9. */
const cpuUsage: (() => NodeJS.CpuUsage) | undefined = process.threadCpuUsage?.bind(process)

/** The part of waiting time that counts: most of it is for a processor where there are few. */
const waitingPart = 1 / 8

/**
 * Begins to measure what a run takes of its thread.
 *
 * @returns the time in milliseconds: of the processor, or an eighth of the whole time if that is more, as where the disk is slow.
 */
export function startRunTime(): () => number {
  const start = performance.now()
  const before = cpuMs()
  return () => {
    const wholeMs = performance.now() - start
    const after = cpuMs()
    if (before === undefined || after === undefined) return wholeMs
    return Math.max(after - before, wholeMs * waitingPart)
  }
}

/** A run whose whole time is below this is short, however much of it was waiting. In milliseconds. */
const clearlyShortMs = 0.2

/**
 * Measures short runs by the clock alone, which costs a fiftieth. After a run that was not clearly short, which may have waited
 * for a processor, runs are measured as `startRunTime` does until one is clearly short again.
 *
 * @returns begins a measurement. The time is undefined where it is not known how much of it was waiting.
 */
export function createRunTimer(): () => () => number | undefined {
  let isDoubtful = false
  return () => {
    const takenMs = isDoubtful ? startRunTime() : undefined
    const start = performance.now()
    return () => {
      const wholeMs = performance.now() - start
      isDoubtful = wholeMs > clearlyShortMs
      if (takenMs !== undefined) return takenMs()
      return isDoubtful ? undefined : wholeMs
    }
  }
}

function cpuMs(): number | undefined {
  if (cpuUsage === undefined) return undefined
  const { user, system } = cpuUsage()
  return (user + system) / 1_000
}
