/** @module Calls back when one of some files has changed, is there again, or is gone. */
import { type Stats, unwatchFile, watchFile } from 'node:fs'

/** Milliseconds between two looks at a file; editors that replace files are noticed, too. */
const lookMs = 200

/** Milliseconds without another change before the call: several files may be saved at a time. */
const restMs = 100

export interface FileWatch {
  /** Watches these files from now on, instead of the ones before. */
  watch(files: Iterable<string>): void
  close(): void
}

/** The watch does not keep the process from ending. */
export function createFileWatch(onChange: () => void): FileWatch {
  const watched = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  const changed = (now: Stats, before: Stats) => {
    // Node also calls once for a file that is not there.
    if (now.mtimeMs === before.mtimeMs && now.size === before.size && now.ino === before.ino) return
    clearTimeout(timer)
    timer = setTimeout(onChange, restMs).unref()
  }
  const forget = (file: string) => {
    watched.delete(file)
    unwatchFile(file, changed)
  }
  return {
    watch: (files) => {
      const wanted = new Set(files)
      for (const file of watched) if (!wanted.has(file)) forget(file)
      for (const file of wanted) {
        if (watched.has(file)) continue
        watched.add(file)
        watchFile(file, { interval: lookMs, persistent: false }, changed)
      }
    },
    close: () => {
      clearTimeout(timer)
      for (const file of [...watched]) forget(file)
    },
  }
}
