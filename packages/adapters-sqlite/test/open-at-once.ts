/** @module A child process of a test: at a given time it opens a file, and sends back the settings of the connection or the error. */

import { createInterrupt, sharedWordCount } from '../src/driver/connection/interrupt.ts'
import { openConnection } from '../src/driver/connection/open-connection.ts'
import { databaseLocation } from '../src/driver/location.ts'
import { openServiceFile } from '../src/service/service-file.ts'

/** A message to the process. */
export interface Opening {
  readonly kind: 'service' | 'data'
  readonly path: string
  /** In milliseconds since 1970. */
  readonly at: number
}

const interrupt = createInterrupt(new Int32Array(new SharedArrayBuffer(4 * sharedWordCount)))

function open({ kind, path }: Opening) {
  if (kind === 'service') return openServiceFile(path)
  return openConnection({
    location: { ...databaseLocation(path), create: true },
    role: 'writer',
    interrupt,
    lockTimeoutMs: 5_000,
    maxRowBytes: 1_000_000,
    setup: undefined,
    synchronous: 'normal',
  }).database
}

process.on('message', (opening: Opening) => {
  while (Date.now() < opening.at);
  try {
    const database = open(opening)
    const read = (name: string) => String(database.pragma(name, { simple: true }))
    const settings = `${read('journal_mode')} ${read('synchronous')}`
    database.close()
    process.send?.(settings)
  } catch (error) {
    process.send?.(String(error))
  }
})
process.send?.('ready')
