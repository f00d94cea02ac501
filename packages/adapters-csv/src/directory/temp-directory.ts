/** @module Directories for temporary files; also removes those of killed processes. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '@engine/core/adapter'
import { isAlive } from '../write-back/process-start.ts'

/** Returns the first part of the name of such a directory: it has the id of the process. */
export function tempDirectoryPrefix(): string {
  return `engine-csv-${process.pid}-`
}

/** Removes directories of processes that no longer run. */
export function removeAbandonedTempDirectories(parent: string, log: Log): void {
  for (const name of readdirSync(parent)) {
    const owner = /^engine-csv-(\d+)-/.exec(name)?.[1]
    if (owner === undefined || isAlive(Number(owner))) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch (err) {
      log.debug({ directory: name, err }, 'an abandoned directory stays')
    }
  }
}
