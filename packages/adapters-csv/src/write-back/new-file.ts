/** @module A file that is to take the place of another. */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { signatureOf } from '../load/file-signature.ts'
import type { FileSignature } from '../load/load-job.ts'

export interface NewFile {
  /** Beside the old one. */
  readonly temporary: string
  /** The old one; where a link leads. */
  readonly target: string
  /** Of the new one, wherever it is. */
  readonly signature: FileSignature
}

/** What a file that is being written is called: readers of the directory pass over it. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.engine-new`)
}

const temporaryPattern = /^\..*\.[0-9a-f]{12}\.engine-new$/

export function isTemporaryName(name: string): boolean {
  return temporaryPattern.test(name)
}

/** Nothing is written for so long. In milliseconds. */
const abandonedMs = 10 * 60_000

/**
 * Removes what writers left that were killed.
 *
 * @throws {Error} of the file system.
 */
export function removeAbandonedFiles(directory: string): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name)
    if (!isTemporaryName(name)) continue
    if (Date.now() - statSync(path).mtimeMs > abandonedMs) rmSync(path, { force: true })
  }
}

/**
 * Writes pieces of text into a new file, gives it the owner and the rights of the old one, and forces it onto the disk.
 *
 * @throws {Error} of the file system, and of the source of the pieces: then there is no new file.
 */
export async function writeNewFile(path: string, pieces: AsyncIterable<string>): Promise<NewFile> {
  const target = await realpath(path)
  const temporary = temporaryName(target)
  try {
    const { mode, uid, gid } = await stat(target)
    const file = await open(temporary, 'wx', mode)
    try {
      await file.writeFile(pieces)
      await keepOwner(file, uid, gid)
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    return { temporary, target, signature: signatureOf(temporary) }
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Only the system's administrator may give files to another user; other users own the files that they write. */
async function keepOwner(file: FileHandle, uid: number, gid: number): Promise<void> {
  const own = await file.stat()
  if (own.uid === uid && own.gid === gid) return
  try {
    await file.chown(uid, gid)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}
