/** @module Watches a directory for changes. */
import { watch } from 'node:fs'
import type { Log } from '@engine/core/adapter'

export interface DirectoryWatch {
  close(): void
}

/** Network file systems report no changes, so the directory is also read at this interval. In milliseconds. */
const pollMs = 2_000

/** Wait after a change: a file is usually written in several pieces. In milliseconds. */
const calmMs = 100

/** Calls back soon after a change, and periodically. */
export function watchDirectory(directory: string, log: Log, onChange: () => void): DirectoryWatch {
  let calm: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(calm)
    calm = setTimeout(onChange, calmMs)
    calm.unref()
  }
  const poll = setInterval(onChange, pollMs)
  poll.unref()
  const watcher = startWatcher(directory, log, soon)
  return {
    close: () => {
      clearTimeout(calm)
      clearInterval(poll)
      watcher?.close()
    },
  }
}

function startWatcher(directory: string, log: Log, onChange: () => void) {
  try {
    const watcher = watch(directory, { persistent: false }, onChange)
    watcher.on('error', (err) => log.debug({ directory, err }, 'the directory is only polled'))
    return watcher
  } catch (err) {
    log.debug({ directory, err }, 'the directory is only polled')
    return undefined
  }
}
