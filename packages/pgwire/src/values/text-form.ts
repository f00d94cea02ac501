/** @module Types whose text and binary forms are both their characters. */
import { GatewayError } from '@engine/core'
import type { CellEncoder } from './cell-format.ts'
import type { ValueForm } from './value-form.ts'

/** The encoder of columns whose text is sent unchanged. */
export const sameText: CellEncoder = (text) => text

// Not `stream`: no state is kept between calls.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * Bytes from a client → text.
 *
 * @throws {GatewayError} 22021 when they are not valid UTF-8, or contain NUL.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch (cause) {
    const message = 'invalid byte sequence for encoding "UTF8"'
    throw new GatewayError('invalidParameter', message, { sqlState: '22021', cause })
  }
  if (text.includes('\0')) {
    const message = 'invalid byte sequence for encoding "UTF8": 0x00'
    throw new GatewayError('invalidParameter', message, { sqlState: '22021' })
  }
  return text
}

/** text, varchar, bpchar, name, json, xml, enums. */
export const textForm: ValueForm = {
  toBinary: (text) => text,
  fromBinary: decodeUtf8,
  inEncoding: ({ encode, decode }) => ({ toBinary: encode, fromBinary: decode }),
}

/** jsonb and jsonpath: a version, then text. */
export const versionedTextForm: ValueForm = {
  toBinary: (text) => Buffer.from(`\u0001${text}`),
  fromBinary: (bytes) => (bytes[0] === 1 ? decodeUtf8(bytes.subarray(1)) : undefined),
  inEncoding: ({ encode, decode }) => ({
    toBinary: (text) => Buffer.concat([Buffer.of(1), encode(text)]),
    fromBinary: (bytes) => (bytes[0] === 1 ? decode(bytes.subarray(1)) : undefined),
  }),
}

/** `"char"`: one byte, of which the first 127 are ASCII; zero is shown as the empty text. */
export const byteForm: ValueForm = {
  toBinary: (text) => {
    const octal = /^\\([0-3][0-7]{2})$/.exec(text)?.[1]
    return octal === undefined
      ? Buffer.from(text === '' ? '\0' : text).subarray(0, 1)
      : Buffer.of(Number.parseInt(octal, 8))
  },
  fromBinary: (bytes) => {
    const [byte] = bytes
    if (byte === undefined || bytes.length !== 1) return undefined
    if (byte === 0) return ''
    return byte < 0x80 ? String.fromCharCode(byte) : `\\${byte.toString(8)}`
  },
}
