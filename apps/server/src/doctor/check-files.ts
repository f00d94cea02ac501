import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Finding, fault, ok, warning } from './finding.ts'

/** Returns whether other users on this machine may read a file with secrets or accounts. */
export async function checkReaders(about: string, path: string): Promise<readonly Finding[]> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined || process.platform === 'win32') return []
  const others = found.mode & 0o077
  if (others === 0) return [ok(about, 'only its owner may read the file')]
  const mode = (found.mode & 0o777).toString(8)
  return [warning(about, `others on this machine may read the file (mode ${mode}): chmod 600`)]
}

/** Returns whether a file can be written, or created. */
export async function checkWritable(about: string, path: string): Promise<Finding> {
  const exists = await can(path, constants.F_OK)
  const isWritable = await can(exists ? path : dirname(path), constants.W_OK)
  if (!isWritable) {
    return fault(about, exists ? 'the file cannot be written' : 'its folder cannot be written')
  }
  return ok(about, exists ? 'the file can be written' : 'is made at the first start')
}

function can(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  )
}
