/** @module What one client may make the server keep: statements, values of portals, rows of cursors. */
import { GatewayError } from '@engine/core'
import type { Row } from './result-shape.ts'

export interface SessionMemory {
  /** @throws {GatewayError} 53200 when it is more than the session may have. */
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

/** Of an object around each value, more or less. */
const overhead = 32

/** Bytes that a row, or the values of a portal, take; texts are of two bytes for each character. */
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
