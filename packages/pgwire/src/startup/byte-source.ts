import type { Duplex } from 'node:stream'
import { createInputBuffer } from '../protocol/input-buffer.ts'

/**
 * The first bytes of a connection, a known number at a time. Has its own listener on the stream until it is released.
 */
export interface ByteSource {
  /** Returns this number of bytes without consuming them; undefined when the other side closed before. */
  peek(count: number): Promise<Buffer | undefined>
  read(count: number): Promise<Buffer | undefined>
  /** Bytes that arrived and were not read. */
  buffered(): number
  /** Stops listening; the stream is paused. @returns the bytes that arrived and were not read. */
  release(): Buffer
}

/** Maximum bytes that are buffered for a reader that is not ready; then the socket is paused. */
const mostKept = 131_072

export function createByteSource(stream: Duplex): ByteSource {
  const input = createInputBuffer()
  let isEnded = false
  let arrived: () => void = () => undefined

  const onData = (chunk: Buffer) => {
    input.append(chunk)
    if (input.length() >= mostKept) stream.pause()
    arrived()
  }
  const onEnd = () => {
    isEnded = true
    arrived()
  }
  stream.on('data', onData)
  stream.on('end', onEnd)
  stream.on('close', onEnd)

  const peek = async (count: number): Promise<Buffer | undefined> => {
    while (input.length() < count) {
      if (isEnded) return undefined
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
    const start = input.start()
    return input.bytes().subarray(start, start + count)
  }

  return {
    peek,
    read: async (count) => {
      const bytes = await peek(count)
      if (bytes === undefined) return undefined
      input.consume(count)
      if (stream.isPaused() && input.length() < mostKept) stream.resume()
      return bytes
    },
    buffered: () => input.length(),
    release: () => {
      stream.removeListener('data', onData)
      stream.removeListener('end', onEnd)
      stream.removeListener('close', onEnd)
      stream.pause()
      const start = input.start()
      return input.bytes().subarray(start, start + input.length())
    },
  }
}
