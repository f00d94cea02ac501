/** @module Detects the encoding of a file. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface FoundEncoding {
  readonly encoding: Encoding
  /** Bytes of the byte order mark at the beginning. */
  readonly markLength: number
}

/**
 * By the byte order mark; without one UTF-8, or Windows-1252 where the bytes are not valid UTF-8.
 *
 * @param start the first bytes of the file.
 * @param isWhole the file has no more bytes.
 */
export function findEncoding(start: Uint8Array, isWhole: boolean): FoundEncoding {
  const [first, second, third] = start
  if (first === 0xef && second === 0xbb && third === 0xbf) {
    return { encoding: 'utf-8', markLength: 3 }
  }
  if (first === 0xff && second === 0xfe) return { encoding: 'utf-16le', markLength: 2 }
  if (first === 0xfe && second === 0xff) return { encoding: 'utf-16be', markLength: 2 }
  return { encoding: isUtf8(start, isWhole) ? 'utf-8' : 'windows-1252', markLength: 0 }
}

function isUtf8(bytes: Uint8Array, isWhole: boolean): boolean {
  try {
    // A piece may end inside a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}
