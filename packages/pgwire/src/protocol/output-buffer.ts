/** @module Buffers bytes of messages before they are sent. */

/** A growing buffer, borrowed from the pool while it holds bytes. Positions count from the last `flush`. */
export interface OutputBuffer {
  length(): number
  byte(value: number): void
  int16(value: number): void
  int32(value: number): void
  /** Writes the bytes without a length or a NUL. */
  text(text: string): void
  bytes(bytes: Uint8Array): void
  /** int32 length, then the text or bytes. */
  sized(value: string | Uint8Array): void
  /** Reserves space for an int32 that is set later. @returns its position. */
  reserveInt32(): number
  setInt32(position: number, value: number): void
  /** Drops the bytes after a position. */
  truncate(length: number): void
  /** Passes its bytes to `write`, if there are any. @param write calls `done` when the bytes may be reused. */
  flush(write: (bytes: Buffer, done: () => void) => void): void
}

/** What a server's connections share: an idle one holds no buffer. */
export interface BufferPool {
  take(): Buffer
  give(buffer: Buffer): void
}

/** Size in bytes of a buffer of the pool. */
export const pooledSize = 32_768

/** Number of buffers kept for connections that will write. */
const mostPooled = 32

export function createBufferPool(): BufferPool {
  const free: Buffer[] = []
  return {
    take: () => free.pop() ?? Buffer.allocUnsafeSlow(pooledSize),
    give: (buffer) => {
      if (buffer.length === pooledSize && free.length < mostPooled) free.push(buffer)
    },
  }
}

const nothing = Buffer.alloc(0)

/** Texts up to this length are copied character by character while they are ASCII: faster than a call. */
const shortText = 24

/** Longer texts are measured; for shorter ones, three bytes are reserved for each character. */
const measuredText = 8_192

/** A class: one exists for each session, and its functions are shared by all (decision 0088). */
class PooledOutput implements OutputBuffer {
  readonly #pool: BufferPool
  #buffer: Buffer = nothing
  #end = 0

  constructor(pool: BufferPool) {
    this.#pool = pool
  }

  length(): number {
    return this.#end
  }

  byte(value: number): void {
    this.#ensure(1)
    this.#buffer[this.#end] = value
    this.#end += 1
  }

  int16(value: number): void {
    this.#ensure(2)
    const buffer = this.#buffer
    const end = this.#end
    buffer[end] = value >>> 8
    buffer[end + 1] = value
    this.#end = end + 2
  }

  int32(value: number): void {
    this.setInt32(this.reserveInt32(), value)
  }

  text(value: string): void {
    const { length } = value
    if (length > shortText) {
      this.#ensure(length <= measuredText ? length * 3 : Buffer.byteLength(value))
      this.#end += this.#buffer.write(value, this.#end)
      return
    }
    this.#ensure(length * 3)
    const buffer = this.#buffer
    let at = this.#end
    for (let i = 0; i < length; i += 1) {
      const unit = value.charCodeAt(i)
      if (unit >= 0x80) {
        this.#end += buffer.write(value, this.#end)
        return
      }
      buffer[at] = unit
      at += 1
    }
    this.#end = at
  }

  bytes(value: Uint8Array): void {
    this.#ensure(value.length)
    this.#buffer.set(value, this.#end)
    this.#end += value.length
  }

  sized(value: string | Uint8Array): void {
    const position = this.reserveInt32()
    if (typeof value === 'string') this.text(value)
    else this.bytes(value)
    this.setInt32(position, this.#end - position - 4)
  }

  reserveInt32(): number {
    this.#ensure(4)
    const position = this.#end
    this.#end += 4
    return position
  }

  setInt32(position: number, value: number): void {
    const buffer = this.#buffer
    buffer[position] = value >>> 24
    buffer[position + 1] = value >>> 16
    buffer[position + 2] = value >>> 8
    buffer[position + 3] = value
  }

  truncate(length: number): void {
    this.#end = length
  }

  flush(write: (bytes: Buffer, done: () => void) => void): void {
    if (this.#end === 0) return
    const written = this.#buffer
    const bytes = written.subarray(0, this.#end)
    this.#end = 0
    this.#buffer = nothing
    write(bytes, () => this.#pool.give(written))
  }

  #ensure(more: number): void {
    if (this.#end + more > this.#buffer.length) this.#grow(this.#end + more)
  }

  #grow(needed: number): void {
    const buffer = this.#buffer
    const larger =
      needed <= pooledSize
        ? this.#pool.take()
        : Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2))
    buffer.copy(larger, 0, 0, this.#end)
    this.#pool.give(buffer)
    this.#buffer = larger
  }
}

export function createOutputBuffer(pool: BufferPool): OutputBuffer {
  return new PooledOutput(pool)
}
