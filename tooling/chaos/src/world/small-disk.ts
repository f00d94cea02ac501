/** @module A disk of a few megabytes that can be filled, where the machine allows mounting one. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'

export interface SmallDisk {
  readonly path: string
  /** Fills the disk completely. @returns a function that frees the space. */
  fill(): () => void
  remove(): void
}

/** @returns undefined where file systems cannot be mounted (no root, no Linux). */
export function mountSmallDisk(path: string): SmallDisk | undefined {
  mkdirSync(path)
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32m,mode=777', 'tmpfs', path])
  if (mount.status !== 0) return undefined
  const ballast = `${path}/ballast`
  return {
    path,
    fill: () => {
      fillUp(ballast)
      return () => rmSync(ballast, { force: true })
    },
    remove: () => void spawnSync('umount', ['-l', path]),
  }
}

function fillUp(file: string): void {
  const descriptor = openSync(file, 'w')
  try {
    for (const size of [1 << 20, 4096, 1]) writeUntilFull(descriptor, new Uint8Array(size))
  } finally {
    closeSync(descriptor)
  }
}

function writeUntilFull(descriptor: number, bytes: Uint8Array): void {
  try {
    while (writeSync(descriptor, bytes) === bytes.length);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  }
}
