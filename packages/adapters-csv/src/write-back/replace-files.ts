/** @module Replaces several files together. */
import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { signatureIfThere } from '../load/file-signature.ts'
import type { FileSignature } from '../load/load-job.ts'
import type { NewFile } from './new-file.ts'
import { syncDirectory } from './sync-directory.ts'
import { whileWriting } from './writing-lock.ts'

export interface Replacement {
  /** The file in the directory. */
  readonly path: string
  /** Signature of the file that will be replaced. */
  readonly replaced: FileSignature
  readonly file: NewFile
}

/**
 * Replaces old files by new ones, unless another process has changed one of the old ones. A process that is killed
 * meanwhile has replaced all of them or none, if `finishAbandonedWriting` is called before they are read.
 *
 * @returns false when one had changed: then no file is replaced
 * @throws {GatewayError} `unavailable` when other processes do not finish their replacements.
 * @throws {Error} of the file system.
 */
export async function replaceFiles(
  directory: string,
  replacements: readonly Replacement[],
): Promise<boolean> {
  const moves = replacements.map(({ path, replaced, file }) => ({
    name: basename(path),
    temporary: basename(file.temporary),
    replaced,
  }))
  return whileWriting(directory, moves, async () => {
    const isChanged = ({ path, replaced }: Replacement) => signatureIfThere(path) !== replaced
    if (replacements.some(isChanged)) return false
    // No `await` between the check and the move.
    for (const { file } of replacements) renameSync(file.temporary, file.target)
    const directories = new Set(replacements.map(({ file }) => dirname(file.target)))
    for (const each of directories) await syncDirectory(each)
    return true
  })
}

/** Removes new files that did not replace an old one. */
export async function discardFiles(files: readonly NewFile[]): Promise<void> {
  for (const { temporary } of files) await rm(temporary, { force: true })
}
