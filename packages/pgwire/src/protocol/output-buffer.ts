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

export function createOutputBuffer(pool: BufferPool): OutputBuffer {
  let buffer: Buffer = nothing
  let end = 0

  const ensure = (more: number) => {
    if (end + more > buffer.length) grow(end + more)
  }

  const grow = (needed: number) => {
    const larger =
      needed <= pooledSize
        ? pool.take()
        : Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2))
    buffer.copy(larger, 0, 0, end)
    pool.give(buffer)
    buffer = larger
  }

  const text = (value: string) => {
    const { length } = value
    if (length > shortText) {
      ensure(length <= measuredText ? length * 3 : Buffer.byteLength(value))
      end += buffer.write(value, end)
      return
    }
    ensure(length * 3)
    let at = end
    for (let i = 0; i < length; i += 1) {
      const unit = value.charCodeAt(i)
      if (unit >= 0x80) {
        end += buffer.write(value, end)
        return
      }
      buffer[at] = unit
      at += 1
    }
    end = at
  }

  const bytes = (value: Uint8Array) => {
    ensure(value.length)
    buffer.set(value, end)
    end += value.length
  }

  const setInt32 = (position: number, value: number) => {
    buffer[position] = value >>> 24
    buffer[position + 1] = value >>> 16
    buffer[position + 2] = value >>> 8
    buffer[position + 3] = value
  }

  const reserveInt32 = () => {
    ensure(4)
    const position = end
    end += 4
    return position
  }

  return {
    length: () => end,
    byte: (value) => {
      ensure(1)
      buffer[end] = value
      end += 1
    },
    int16: (value) => {
      ensure(2)
      buffer[end] = value >>> 8
      buffer[end + 1] = value
      end += 2
    },
    int32: (value) => setInt32(reserveInt32(), value),
    text,
    bytes,
    sized: (value) => {
      const position = reserveInt32()
      if (typeof value === 'string') text(value)
      else bytes(value)
      setInt32(position, end - position - 4)
    },
    reserveInt32,
    setInt32,
    truncate: (length) => {
      end = length
    },
    flush: (write) => {
      if (end === 0) return
      const written = buffer
      const bytes = written.subarray(0, end)
      end = 0
      buffer = nothing
      write(bytes, () => pool.give(written))
    },
  }
}
