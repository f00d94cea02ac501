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

function cpuMs(): number | undefined {
  if (cpuUsage === undefined) return undefined
  const { user, system } = cpuUsage()
  return (user + system) / 1_000
}
