import { once } from 'node:events'
import type { Writable } from 'node:stream'

/** Writes pieces as fast as they are read. When the reader closes the pipe (`| head`), it ends without an error. */
export async function writeOut(output: Writable, pieces: AsyncIterable<string>): Promise<void> {
  let failure: NodeJS.ErrnoException | undefined
  const onError = (error: NodeJS.ErrnoException) => {
    failure = error
  }
  output.on('error', onError)
  try {
    for await (const piece of pieces) {
      if (!output.write(piece)) await once(output, 'drain').catch(onError)
      if (failure !== undefined) break
    }
  } finally {
    output.off('error', onError)
  }
  if (failure !== undefined && failure.code !== 'EPIPE') throw failure
}
