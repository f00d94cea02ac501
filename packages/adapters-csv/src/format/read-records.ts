/** @module A file → its records, with only one piece of it in memory. */
import { closeSync, openSync, readSync } from 'node:fs'
import { type FoundEncoding, findEncoding } from './encoding.ts'
import { createRecordScanner, type RecordHandler } from './scan-records.ts'

/** Size of a piece, in bytes. */
const pieceSize = 1024 * 1024

export interface FileText {
  readonly encoding: FoundEncoding
  /** The beginning of the file, as much as one read returns. */
  readonly start: string
  /** `start` is the whole file. */
  readonly isWhole: boolean
}

/** @throws {Error} of the file system. */
export function readStart(path: string): FileText {
  const file = openSync(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(pieceSize)
    const length = fill(file, buffer)
    const bytes = buffer.subarray(0, length)
    const isWhole = length < pieceSize
    const encoding = findEncoding(bytes, isWhole)
    const decoder = new TextDecoder(encoding.encoding)
    const start = decoder.decode(bytes.subarray(encoding.markLength), { stream: !isWhole })
    return { encoding, start, isWhole }
  } finally {
    closeSync(file)
  }
}

/**
 * Reads the whole file.
 *
 * @param onProgress called after every piece with the bytes read so far.
 * @throws {Error} of the file system; a `TypeError` where the bytes are not valid UTF-8.
 */
export function readRecords(
  path: string,
  { encoding, markLength }: FoundEncoding,
  delimiter: string,
  handler: RecordHandler,
  onProgress: (bytes: number) => void = () => undefined,
): void {
  const file = openSync(path, 'r')
  try {
    const scanner = createRecordScanner(delimiter, handler)
    const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
    const buffer = Buffer.allocUnsafe(pieceSize)
    let position = 0
    for (;;) {
      const length = fill(file, buffer)
      const bytes = buffer.subarray(position === 0 ? markLength : 0, length)
      const isLast = length < pieceSize
      scanner.push(decoder.decode(bytes, { stream: !isLast }))
      position += length
      onProgress(position)
      if (isLast) break
    }
    scanner.end()
  } finally {
    closeSync(file)
  }
}

/** Reads until the buffer is full or the file ends. */
function fill(file: number, buffer: Buffer): number {
  let length = 0
  while (length < buffer.length) {
    const read = readSync(file, buffer, length, buffer.length - length, null)
    if (read === 0) break
    length += read
  }
  return length
}
