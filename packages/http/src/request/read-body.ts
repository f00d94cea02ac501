import { GatewayError } from '@engine/core'
import type { IncomingRequest } from './incoming-request.ts'

/**
 * Reads a JSON body: checks its size before and during reading, and strict UTF-8.
 *
 * @param maxBytes bytes of the body as sent.
 * @throws {GatewayError} `payloadTooLarge` (413), `unsupportedMediaType` (415) or `badRequest` (400).
 */
export async function readJson(request: IncomingRequest, maxBytes: number): Promise<unknown> {
  return readJsonSoon(request, maxBytes)
}

/**
 * As `readJson`, at once where the body is there already: that of a short request is.
 *
 * @returns the value, or a promise of it.
 */
export function readJsonSoon(request: IncomingRequest, maxBytes: number): unknown {
  requireJsonType(request)
  const bytes = readBytes(request, maxBytes)
  return bytes instanceof Promise
    ? bytes.then((read) => parseJson(read, maxBytes))
    : parseJson(bytes, maxBytes)
}

function parseJson(bytes: ArrayBuffer | Uint8Array, maxBytes: number): unknown {
  const text = decode(bytes, maxBytes)
  try {
    return manyDigits.test(text) ? JSON.parse(text, keepDigits) : JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('badRequest', 'The body is not valid JSON.', { cause })
  }
}

/** @throws {GatewayError} `unsupportedMediaType` (415) for a body whose content type is not JSON in UTF-8. */
export function requireJsonType(request: IncomingRequest): void {
  if (isJson(request.headers.get('content-type') ?? '')) return
  throw new GatewayError(
    'unsupportedMediaType',
    'The body must be sent as Content-Type: application/json.',
  )
}

/** RFC 9110, 8.3.1: the type, then parameters; only `charset` matters: JSON is UTF-8. */
function isJson(contentType: string): boolean {
  if (contentType === 'application/json') return true
  const [type = '', ...parameters] = contentType.toLowerCase().split(';')
  if (type.trim() !== 'application/json') return false
  return parameters.every((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim() !== 'charset' || /^("?)utf-8\1$/.test(value.trim())
  })
}

/**
 * Reads a body of any content type as text.
 *
 * @param maxBytes bytes of the body as sent.
 * @throws {GatewayError} `payloadTooLarge` (413), `unsupportedMediaType` (415) when it is compressed, `badRequest` (400) when
 *   it is not UTF-8.
 */
export async function readText(request: IncomingRequest, maxBytes: number): Promise<string> {
  return decode(await readBytes(request, maxBytes), maxBytes)
}

/** Numbers with at most 15 digits and a small exponent are exact as doubles; most bodies have no others. */
const manyDigits = /\d{16}|[\d.]{17}|\d[eE][+-]?\d{3}/

const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => object }

/** A number that a double cannot represent stays a text. */
function keepDigits(_: string, value: unknown, context?: { readonly source: string }): unknown {
  if (typeof value !== 'number' || context === undefined) return value
  return String(value) === context.source ? value : rawJSON(context.source)
}

/** Checks the size that the client names; `decode` checks that of a body with a length. */
function readBytes(
  request: IncomingRequest,
  maxBytes: number,
): Uint8Array | Promise<ArrayBuffer | Uint8Array> {
  requirePlain(request.headers.get('content-encoding'))
  const length = request.headers.get('content-length')
  if (length === null || !/^\d+$/.test(length)) return readChunks(request, maxBytes)
  if (Number(length) > maxBytes) throw tooLarge(maxBytes)
  return request.wholeBody?.() ?? request.arrayBuffer()
}

/** A compressed body could expand to any size. */
function requirePlain(encoding: string | null): void {
  if (encoding === null || /^\s*(identity\s*)?$/i.test(encoding)) return
  throw new GatewayError('unsupportedMediaType', 'Compressed bodies are not accepted.')
}

async function readChunks(request: IncomingRequest, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes) throw tooLarge(maxBytes)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): GatewayError {
  return new GatewayError('payloadTooLarge', `The body is larger than ${maxBytes} bytes.`)
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** What stands where the bytes were no UTF-8, and a mark at the beginning, which the decoder leaves out. */
const needsDecoder = /^\uFEFF|\uFFFD/

function decode(bytes: ArrayBuffer | Uint8Array, maxBytes: number): string {
  if (bytes.byteLength > maxBytes) throw tooLarge(maxBytes)
  const quickly = Buffer.isBuffer(bytes) ? bytes.toString('utf8') : undefined
  if (quickly !== undefined && !needsDecoder.test(quickly)) return quickly
  try {
    return utf8.decode(bytes)
  } catch (cause) {
    throw new GatewayError('badRequest', 'The body is not valid UTF-8.', { cause })
  }
}
