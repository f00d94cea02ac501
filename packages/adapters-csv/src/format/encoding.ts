/** @module Detects the encoding of a file. */

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

export interface FoundEncoding {
  readonly encoding: Encoding
  /** Bytes of the mark at the beginning that says so. */
  readonly markLength: number
}

/**
 * By the byte order mark; without one it is UTF-8, and Windows-1252 where that cannot be.
 *
 * @param start the first bytes of the file.
 * @param isWhole there are no others.
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
    // A piece may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: !isWhole })
    return true
  } catch {
    return false
  }
}
