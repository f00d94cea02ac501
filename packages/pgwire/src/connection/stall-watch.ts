import type { Socket } from 'node:net'

/** Milliseconds for which a client has read nothing of the bytes that wait for it; 0 while none wait. */
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
