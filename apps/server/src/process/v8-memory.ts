/** @module Sets how V8 uses memory: for requests, whose objects live for some milliseconds. */
import { setFlagsFromString } from 'node:v8'

/**
 * By default V8 places objects in the old generation from the start, where many objects of the same kind have survived before: those of
 * requests, after a moment in which many waited. They keep all that they refer to until the next full collection, which
 * becomes frequent: a request under load costs a quarter more.
 */
const noPretenuring = '--no-allocation-site-pretenuring'

/**
 * By default V8 lets the young generation grow to 85 MB while many clients connect, and keeps it: as much memory as a
 * thousand idle connections need. The size can be set only when a process starts.
 */
const semiSpace = '--max-semi-space-size=32'

/** For the whole process; functions that are optimized already keep what they do. */
export function keepRequestsYoung(): void {
  setFlagsFromString(noPretenuring)
}

/**
 * Replaces this program by the same program with the same process id, files and environment. Does nothing where the
 * size was set, where that is impossible (Windows), and in a process with an IPC channel to its parent: the channel
 * would be lost.
 */
export function restartWithSmallYoungGeneration(): void {
  const { execArgv, execPath, argv, env } = process
  if (isSaid(execArgv) || process.execve === undefined || process.channel !== undefined) return
  try {
    process.execve(execPath, [execPath, semiSpace, ...execArgv, ...argv.slice(1)], env)
  } catch {
    // Not permitted: the process continues with the default size.
  }
}

/** Options of Node.js for a process that this one starts. */
export function withSmallYoungGeneration(execArgv: readonly string[]): string[] {
  return isSaid(execArgv) ? [...execArgv] : [semiSpace, ...execArgv]
}

function isSaid(execArgv: readonly string[]): boolean {
  const texts = [...execArgv, process.env['NODE_OPTIONS'] ?? '']
  return texts.some((text) => text.includes('semi-space'))
}
