/** @module Answers to bytes that are no HTTP request, in the shape that all errors have. */
import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import type { ErrorBody, ErrorCode } from '@engine/contract'

interface RawError {
  readonly line: string
  readonly code: ErrorCode
  readonly message: string
}

/** By the code of the error that Node's parser reports. */
const rawErrors: ReadonlyMap<string, RawError> = new Map<string, RawError>([
  [
    'HPE_HEADER_OVERFLOW',
    {
      line: '431 Request Header Fields Too Large',
      code: 'BAD_REQUEST',
      message: 'The headers are too large.',
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    {
      line: '408 Request Timeout',
      code: 'BAD_REQUEST',
      message: 'The request did not arrive in time.',
    },
  ],
])

const notHttp: RawError = {
  line: '400 Bad Request',
  code: 'BAD_REQUEST',
  message: 'This is no HTTP request.',
}

/** Says what is wrong, where the client can still hear it, and hangs up. */
export function answerRawError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { line, code, message } = rawErrors.get(error.code ?? '') ?? notHttp
  const correlationId = randomUUID()
  const body: ErrorBody = { error: code, message, correlation_id: correlationId }
  const text = JSON.stringify(body)
  socket.end(
    [
      `HTTP/1.1 ${line}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(text)}`,
      `X-Request-Id: ${correlationId}`,
      'Connection: close',
      '',
      text,
    ].join('\r\n'),
  )
}
