import type { Socket } from 'node:net'

/** Milliseconds for which a client has taken nothing of what waits for it; 0 while nothing does. */
export type StallWatch = (stream: Socket, nowMs: number) => number

/** Call it periodically: it compares with the state at its last call. */
export function createStallWatch(): StallWatch {
  let taken = 0
  let takenAtMs = 0
  return (stream, nowMs) => {
    const { bytesWritten, writableNeedDrain } = stream
    if (!writableNeedDrain || bytesWritten !== taken) {
      taken = bytesWritten
      takenAtMs = nowMs
    }
    return nowMs - takenAtMs
  }
}
