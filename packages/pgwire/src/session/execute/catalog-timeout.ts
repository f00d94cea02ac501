/** @module How long a question to the catalog may last. */
import type { SessionParts } from '../parts/session-parts.ts'

/** The time that is left for a statement. */
export function catalogTimeoutMs(
  { queryTimeoutMs }: SessionParts['limits'],
  running: SessionParts['running'],
): number {
  return Math.max(1, queryTimeoutMs - Math.floor(running.elapsedMs()))
}
