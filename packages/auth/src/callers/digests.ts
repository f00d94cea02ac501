import { hash } from 'node:crypto'

/** Digests are kept for at least this long while their texts are used, and for twice as long at most. In milliseconds. */
const keptMs = 5_000

/** Maximum texts that are kept of each half. */
const mostTexts = 1_000

/**
 * Returns a function that gives the SHA-256 of a text. It keeps those of the last seconds: a client sends the same credential with
 * each request, and to compute its digest takes longer than to find it.
 *
 * @param clock milliseconds.
 */
export function createDigests(clock: () => number): (text: string) => string {
  let young = new Map<string, string>()
  let old = new Map<string, string>()
  let sinceMs = clock()
  const age = (nowMs: number) => {
    old = nowMs - sinceMs > 2 * keptMs ? new Map() : young
    young = new Map()
    sinceMs = nowMs
  }
  return (text) => {
    const nowMs = clock()
    if (nowMs - sinceMs > keptMs || young.size >= mostTexts) age(nowMs)
    const known = young.get(text)
    if (known !== undefined) return known
    const digest = old.get(text) ?? hash('sha256', text, 'base64')
    young.set(text, digest)
    return digest
  }
}
