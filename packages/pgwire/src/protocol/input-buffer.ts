/** @module A buffer of received bytes that were not read yet. */

export interface InputBuffer {
  append(chunk: Buffer): void
  length(): number
  /** All bytes, from `start()`. Existing bytes are not moved or changed, so views of them may be kept. */
  bytes(): Buffer
  start(): number
  consume(count: number): void
}

const empty = Buffer.alloc(0)

/**
 * Reads the chunks themselves as long as they hold whole messages. Pieces are joined in a buffer with spare room, so
 * that a message that arrives byte by byte is not copied for every byte. Holds no buffer while it is empty.
 */
export function createInputBuffer(): InputBuffer {
  let buffer: Buffer = empty
  let start = 0
  let end = 0
  /** Whether the bytes of `buffer` after `end` may be overwritten. */
  let isOwn = false
  return {
    append: (chunk) => {
      const held = end - start
      if (held === 0) {
        buffer = chunk
        start = 0
        end = chunk.length
        isOwn = false
        return
      }
      if (!isOwn || end + chunk.length > buffer.length) {
        const larger = Buffer.allocUnsafeSlow(Math.max((held + chunk.length) * 2, 64))
        buffer.copy(larger, 0, start, end)
        buffer = larger
        start = 0
        end = held
        isOwn = true
      }
      chunk.copy(buffer, end)
      end += chunk.length
    },
    length: () => end - start,
    bytes: () => buffer,
    start: () => start,
    consume: (count) => {
      start += count
      if (start < end) return
      buffer = empty
      start = 0
      end = 0
    },
  }
}
