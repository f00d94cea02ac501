/** @module Counts the memory that the server keeps for one client: statements, values of portals, rows of cursors. */
import { GatewayError } from '@engine/core'
import type { Row } from './result-shape.ts'

export interface SessionMemory {
  /** @throws {GatewayError} 53200 when it exceeds the limit of the session. */
  take(bytes: number): void
  give(bytes: number): void
}

/** @param limit bytes of a session. */
export function createSessionMemory(limit: number): SessionMemory {
  let taken = 0
  return {
    take: (bytes) => {
      if (taken + bytes > limit) throw outOfMemory(limit)
      taken += bytes
    },
    give: (bytes) => {
      taken -= bytes
    },
  }
}

/** Approximate bytes of an object around each value. */
const overhead = 32

/** Bytes of a row, or of the values of a portal; texts count two bytes for each character. */
export function sizeOfRow(row: Row): number {
  let size = overhead
  for (const cell of row) {
    size += overhead
    if (cell !== null) size += typeof cell === 'string' ? 2 * cell.length : cell.byteLength
  }
  return size
}

function outOfMemory(limit: number): GatewayError {
  return new GatewayError(
    'limitExceeded',
    `out of memory: prepared statements, portals and cursors of the session have ${limit} bytes; close some`,
    { sqlState: '53200' },
  )
}
