import { type FileHandle, open } from 'node:fs/promises'

/**
 * That a file was made or renamed is safe only when its directory is on the disk too.
 *
 * @throws {Error} of the file system.
 */
export async function syncDirectory(path: string): Promise<void> {
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
