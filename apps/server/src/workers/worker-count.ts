import { availableParallelism } from 'node:os'

/** The most workers: more than any machine has use for. */
const mostWorkers = 256

/** @returns the number; undefined for anything but `auto` (one for each processor) and a number. */
export function workerCount(given: unknown): number | undefined {
  if (given === 'auto') return Math.min(availableParallelism(), mostWorkers)
  // In JSON a variable is always a text: `"workers": "${WORKERS}"`.
  const count = typeof given === 'string' && /^\d{1,3}$/.test(given) ? Number(given) : given
  const isCount = typeof count === 'number' && Number.isInteger(count)
  return isCount && count >= 1 && count <= mostWorkers ? count : undefined
}
