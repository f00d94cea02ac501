import { chownSync, writeFileSync } from 'node:fs'
import type { ServerHome } from './private-server.ts'

/** Writes a file that only the server's user may read; returns its path. */
export function writePrivateFile(path: string, text: string, { user }: ServerHome): string {
  writeFileSync(path, text, { mode: 0o600 })
  if (user) chownSync(path, user.uid, user.gid)
  return path
}
