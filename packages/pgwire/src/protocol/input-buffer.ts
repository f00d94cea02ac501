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
  return new ReceivedBytes()
}

/** A class: two exist for each session, and its functions are shared by all (decision 0088). */
class ReceivedBytes implements InputBuffer {
  #buffer: Buffer = empty
  #start = 0
  #end = 0
  /** Whether the bytes of `#buffer` after `#end` may be overwritten. */
  #isOwn = false

  append(chunk: Buffer): void {
    const held = this.#end - this.#start
    if (held === 0) {
      this.#buffer = chunk
      this.#start = 0
      this.#end = chunk.length
      this.#isOwn = false
      return
    }
    if (!this.#isOwn || this.#end + chunk.length > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max((held + chunk.length) * 2, 64))
      this.#buffer.copy(larger, 0, this.#start, this.#end)
      this.#buffer = larger
      this.#start = 0
      this.#end = held
      this.#isOwn = true
    }
    chunk.copy(this.#buffer, this.#end)
    this.#end += chunk.length
  }

  length(): number {
    return this.#end - this.#start
  }

  bytes(): Buffer {
    return this.#buffer
  }

  start(): number {
    return this.#start
  }

  consume(count: number): void {
    this.#start += count
    if (this.#start < this.#end) return
    this.#buffer = empty
    this.#start = 0
    this.#end = 0
  }
}
