import { type FileHandle, open } from 'node:fs/promises'

/**
 * A created or renamed file survives a crash only when its directory is flushed to the disk too.
 *
 * @throws {Error} of the file system.
 */
export async function syncDirectory(path: string): Promise<void> {
  let directory: FileHandle | undefined
  try {
    directory = await open(path, 'r')
    await directory.sync()
  } catch (error) {
    // Windows cannot open directories.
    if (process.platform !== 'win32') throw error
  } finally {
    await directory?.close()
  }
}
