/** @module A file that is replaced as a whole, or not at all. */
import { randomBytes } from 'node:crypto'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** What a file that is being written is called: readers of the directory pass over it. */
export function temporaryName(path: string): string {
  return join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}.engine-new`)
}

const temporaryPattern = /^\..*\.[0-9a-f]{12}\.engine-new$/

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
    if (!temporaryPattern.test(name)) continue
    if (Date.now() - statSync(path).mtimeMs > abandonedMs) rmSync(path, { force: true })
  }
}

/**
 * Writes pieces of text into a new file, forces it onto the disk and gives it the place and the rights of the old one.
 *
 * @param isCurrent asked at the last moment: false leaves everything as it was.
 * @returns false when it was not current any more
 * @throws {Error} of the file system: then nothing has changed.
 */
export async function replaceFile(
  path: string,
  pieces: AsyncIterable<string>,
  isCurrent: () => boolean,
): Promise<boolean> {
  const temporary = temporaryName(path)
  try {
    const { mode } = await stat(path)
    const file = await open(temporary, 'wx', mode)
    try {
      for await (const piece of pieces) await file.write(piece)
      await file.chmod(mode)
      await file.sync()
    } finally {
      await file.close()
    }
    if (!isCurrent()) {
      await rm(temporary)
      return false
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  await syncDirectory(dirname(path))
  return true
}

/** That a file was renamed is safe only when its directory is on the disk too. */
async function syncDirectory(path: string): Promise<void> {
  let directory: FileHandle | undefined
  try {
    directory = await open(path, 'r')
    await directory.sync()
  } catch (error) {
    // Windows does not open directories.
    if (process.platform !== 'win32') throw error
  } finally {
    await directory?.close()
  }
}
