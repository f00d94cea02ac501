/** @module How long a question to the catalog may last. */
import type { SessionParts } from '../parts/session-parts.ts'

/** Queries take milliseconds, and all callers with the same rights share the same few instances. */
const mostMs = 10_000

/** The time that is left for a statement. */
export function catalogTimeoutMs(
  { queryTimeoutMs }: SessionParts['limits'],
  running: SessionParts['running'],
): number {
  return Math.max(1, Math.min(queryTimeoutMs, mostMs) - Math.floor(running.elapsedMs()))
}
