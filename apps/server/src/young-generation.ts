/** @module Sets the size of V8's young generation. */

/**
 * By itself V8 lets the young generation grow while many clients connect, to 85 MB, and keeps it: so much for a thousand idle
 * connections as the connections themselves take. Half of that serves as fast. It can be said only when a process begins.
 */
const flag = '--max-semi-space-size=16'

/**
 * Replaces this program by the same program with the same process id, files and environment. Does nothing where the
 * size was set, where that is impossible (Windows), and in a process that its parent talks to: the channel would be lost.
 */
export function restartWithSmallYoungGeneration(): void {
  const { execArgv, execPath, argv, env } = process
  const said = [...execArgv, env['NODE_OPTIONS'] ?? ''].some((text) => text.includes('semi-space'))
  if (said || process.execve === undefined || process.channel !== undefined) return
  try {
    process.execve(execPath, [execPath, flag, ...execArgv, ...argv.slice(1)], env)
  } catch {
    // Not permitted: the process goes on with the default size.
  }
}
