/** @module Sets the size of V8's young generation. */

/**
 * By default V8 lets the young generation grow to 85 MB while many clients connect, and keeps it: as much memory as a
 * thousand idle connections need. Half of that is as fast. The size can be set only when a process starts.
 */
const flag = '--max-semi-space-size=16'

/**
 * Replaces this program by the same program with the same process id, files and environment. Does nothing where the
 * size was set, where that is impossible (Windows), and in a process with an IPC channel to its parent: the channel
 * would be lost.
 */
export function restartWithSmallYoungGeneration(): void {
  const { execArgv, execPath, argv, env } = process
  if (isSaid(execArgv) || process.execve === undefined || process.channel !== undefined) return
  try {
    process.execve(execPath, [execPath, flag, ...execArgv, ...argv.slice(1)], env)
  } catch {
    // Not permitted: the process continues with the default size.
  }
}

/** Options of Node.js for a process that this one starts. */
export function withSmallYoungGeneration(execArgv: readonly string[]): string[] {
  return isSaid(execArgv) ? [...execArgv] : [flag, ...execArgv]
}

function isSaid(execArgv: readonly string[]): boolean {
  const texts = [...execArgv, process.env['NODE_OPTIONS'] ?? '']
  return texts.some((text) => text.includes('semi-space'))
}
