/** @module Keeps the code that V8 has compiled, so that the next start need not compile it again. */
import { mkdirSync, statSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Uses `NODE_COMPILE_CACHE` where it is set, otherwise a directory of this user alone. Node's own choice is below the
 * directory for temporary files, where another user of the machine could put code for this process to run. Where
 * nothing can be written the program starts without a cache.
 */
export function enableCodeCache(environment: NodeJS.ProcessEnv): void {
  if (environment['NODE_COMPILE_CACHE'] !== undefined) return
  try {
    const directory = join(
      environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
      'engine-server',
    )
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if (isOwn(directory)) module.enableCompileCache(directory)
  } catch {
    // No home directory, or one that cannot be written.
  }
}

/** Whether no other user can write there. Windows has no such bits; home directories are private there. */
export function isOwn(directory: string): boolean {
  const { uid, mode } = statSync(directory)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}
