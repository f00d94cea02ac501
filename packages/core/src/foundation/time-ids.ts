/** @module Ids that sort by time (UUID version 7): primary key, cursor and time range in one. */

/** Later times have no id. */
const latestMs = 2 ** 48 - 1

/**
 * Makes ids; each is greater than the one before, also within a millisecond and when the clock is set back.
 *
 * @param random 8 bytes unique to this node: they are part of every id.
 */
export function createTimeIds(
  clock: () => number,
  random: Uint8Array,
): () => { readonly id: string; readonly timeMs: number } {
  const digits = Buffer.from(random).toString('hex')
  const variant = ((Number.parseInt(digits[0] ?? '0', 16) & 3) | 8).toString(16)
  const tail = `${variant}${digits.slice(1, 4)}-${digits.slice(4, 16)}`
  let timeMs = 0
  let sequence = 0
  let prefix = ''
  const goTo = (ms: number) => {
    timeMs = ms
    sequence = 0
    const time = hex(ms)
    prefix = `${time.slice(0, 8)}-${time.slice(8)}-7`
  }
  return () => {
    const nowMs = Math.floor(clock())
    if (nowMs > timeMs) goTo(nowMs)
    else if (sequence < 0xfff) sequence += 1
    else goTo(timeMs + 1)
    return { id: `${prefix}${counters[sequence] ?? counterText(sequence)}-${tail}`, timeMs }
  }
}

/** The smallest id of a time: all earlier ids are smaller. */
export function firstIdAt(timeMs: number): string {
  return dashed(`${hex(Math.min(Math.max(0, Math.floor(timeMs)), latestMs))}${'0'.repeat(20)}`)
}

/** The time of an id, in milliseconds since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(`${id.slice(0, 8)}${id.slice(9, 13)}`, 16)
}

/** Returns whether a text has the form of an entry's id. */
export function isEntryId(text: string): boolean {
  return /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/.test(text)
}

/** By sequence number, as they are needed: every request has two ids. */
const counters: string[] = []

function counterText(sequence: number): string {
  const text = sequence.toString(16).padStart(3, '0')
  if (sequence === counters.length) counters.push(text)
  return text
}

function hex(timeMs: number): string {
  return timeMs.toString(16).padStart(12, '0')
}

function dashed(digits: string): string {
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    digits.slice(12, 16),
    digits.slice(16, 20),
    digits.slice(20),
  ].join('-')
}
