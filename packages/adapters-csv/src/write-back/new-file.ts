/** @module Writes a file that will replace another one. */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, realpath, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { signatureOf } from '../load/file-signature.ts'
import type { FileSignature } from '../load/load-job.ts'

export interface NewFile {
  /** Path next to the old file. */
  readonly temporary: string
  /** The old file; for a link, its target. */
  readonly target: string
  /** Signature of the new file, before and after the move. */
  readonly signature: FileSignature
}

/** Name of a file that is being written: readers of the directory ignore it. */
function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.engine-new`)
}

const temporaryPattern = /^\..*\.[0-9a-f]{12}\.engine-new$/

export function isTemporaryName(name: string): boolean {
  return temporaryPattern.test(name)
}

/** A file that was not written for this long is abandoned. In milliseconds. */
const abandonedMs = 10 * 60_000

/**
 * Removes files that killed writers left.
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
 * Writes pieces of text into a new file, gives it the owner and the rights of the old one, and flushes it to the disk.
 *
 * @throws {Error} of the file system, and of the source of the pieces: then the new file is removed.
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

/** Only root may change the owner of a file; other users own the files that they write. */
async function keepOwner(file: FileHandle, uid: number, gid: number): Promise<void> {
  const own = await file.stat()
  if (own.uid === uid && own.gid === gid) return
  try {
    await file.chown(uid, gid)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) throw error
  }
}
