/** @module Replaces an old file by a new one. The move is recorded on disk, so that another process can finish it. */
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { signatureIfThere } from '../load/file-signature.ts'
import type { FileSignature } from '../load/load-job.ts'
import { isTemporaryName } from './new-file.ts'

/** Only names: a user who can write into the directory must not be able to make us move files elsewhere. */
export interface Move {
  /** Name of the file in the directory. */
  readonly name: string
  /** Name of the new file. It is next to the old file, or next to the target of a link. */
  readonly temporary: string
  /** Signature of the replaced file. */
  readonly replaced: FileSignature
}

export function isMove(value: unknown): value is Move {
  if (typeof value !== 'object' || value === null) return false
  const { name, temporary, replaced }: Partial<Record<keyof Move, unknown>> = value
  if (typeof name !== 'string' || typeof temporary !== 'string') return false
  const areNames = basename(name) === name && basename(temporary) === temporary
  return areNames && isTemporaryName(temporary) && typeof replaced === 'string'
}

/**
 * Finishes moves that were interrupted: where the first was not made yet, none is made. A file that has changed since
 * is not replaced.
 *
 * @throws {Error} of the file system.
 */
export function finishMoves(directory: string, moves: readonly Move[]): void {
  const left = moves.flatMap((move) => {
    const path = join(directory, move.name)
    if (!existsSync(path)) return []
    const target = realpathSync(path)
    const temporary = join(dirname(target), move.temporary)
    return existsSync(temporary) ? [{ target, temporary, replaced: move.replaced }] : []
  })
  const isBegun = left.length < moves.length
  for (const { target, temporary, replaced } of left) {
    if (isBegun && signatureIfThere(target) === replaced) renameSync(temporary, target)
    else rmSync(temporary, { force: true })
  }
}
