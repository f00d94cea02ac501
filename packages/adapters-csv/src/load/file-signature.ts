/** @module The signature of a file: it changes when the file changes. */
import { statSync } from 'node:fs'
import type { FileSignature } from './load-job.ts'

/**
 * Size, time and identity of a file.
 *
 * @throws {Error} of the file system.
 */
export function signatureOf(path: string): FileSignature {
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  return `${size} ${mtimeNs} ${ino}`
}

/**
 * Undefined where the file does not exist.
 *
 * @throws {Error} of the file system.
 */
export function signatureIfThere(path: string): FileSignature | undefined {
  try {
    return signatureOf(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
