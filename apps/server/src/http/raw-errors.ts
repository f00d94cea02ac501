/** @module Answers bytes that are not an HTTP request, in the same form as all errors. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ErrorBody, ErrorCode } from '@engine/contract'

/** Messages for a client, sent without the HTTP server. */
interface RawError {
  readonly status: number
  readonly phrase: string
  readonly code: ErrorCode
  readonly message: string
}

/** By the error code of Node's parser. */
const rawErrors: ReadonlyMap<string, RawError> = new Map<string, RawError>([
  [
    'HPE_HEADER_OVERFLOW',
    {
      status: 431,
      phrase: 'Request Header Fields Too Large',
      code: 'BAD_REQUEST',
      message: 'The headers are too large.',
    },
  ],
  [
    'HPE_CHUNK_EXTENSIONS_OVERFLOW',
    {
      status: 413,
      phrase: 'Payload Too Large',
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The chunk extensions are too large.',
    },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    {
      status: 408,
      phrase: 'Request Timeout',
      code: 'BAD_REQUEST',
      message: 'The request did not arrive in time.',
    },
  ],
])

const unmetExpectation: RawError = {
  status: 417,
  phrase: 'Expectation Failed',
  code: 'BAD_REQUEST',
  message: 'The only expectation that can be met is 100-continue.',
}

const badRequest = { status: 400, phrase: 'Bad Request', code: 'BAD_REQUEST' } as const

const severalHosts: RawError = { ...badRequest, message: 'There is more than one Host header.' }

const noHost: RawError = { ...badRequest, message: 'There is no Host header.' }

const unknownCoding: RawError = {
  ...badRequest,
  message: 'The only Transfer-Encoding that is understood is chunked.',
}

const notHttp: RawError = { ...badRequest, message: 'This is no HTTP request.' }

const noTunnel: RawError = { ...badRequest, message: 'This server is no proxy.' }

export interface RawErrors {
  /**
   * Is called with every request, so that an error after it does not replace its answer.
   *
   * @returns is to be called when the response is closed.
   */
  watch(response: ServerResponse): () => void
  /** For `clientError`: sends an error answer where the client can still read it, and closes the connection. */
  answer(error: NodeJS.ErrnoException, socket: Duplex): void
  /** For `connect`: otherwise Node would close the connection without an answer. */
  refuseTunnel(request: IncomingMessage, socket: Duplex): void
}

export function createRawErrors(): RawErrors {
  /** In the order of the requests. An array: see `createLiveList`. */
  const pending = new WeakMap<Duplex, ServerResponse[]>()
  const failed = new WeakSet<Duplex>()
  return {
    watch: (response) => {
      const { socket } = response.req
      const responses = pending.get(socket) ?? []
      if (responses.length === 0) pending.set(socket, responses)
      responses.push(response)
      return () => void responses.splice(responses.indexOf(response), 1)
    },
    answer: (error, socket) => {
      // The bytes after the first invalid byte have no meaning.
      if (failed.has(socket)) return
      failed.add(socket)
      const answers = pending.get(socket) ?? []
      const complete = answers.filter(({ req }) => req.complete)
      const isBegun = answers.some(({ req, headersSent }) => headersSent && !req.complete)
      const isLost = error.code === 'ECONNRESET' || !socket.writable
      if (isLost || isBegun) {
        socket.destroy()
        return
      }
      const last = complete.at(-1)
      const sendError = () => end(socket, rawErrors.get(error.code ?? '') ?? notHttp)
      if (last === undefined) sendError()
      else last.once('close', sendError)
    },
    refuseTunnel: (_, socket) => {
      // Node has detached from the connection: we must handle its errors, and earlier answers can no longer be sent.
      socket.on('error', () => socket.destroy())
      if ((pending.get(socket)?.length ?? 0) > 0) socket.destroy()
      else end(socket, noTunnel)
    },
  }
}

function end(socket: Duplex, { status, phrase, code, message }: RawError): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { body, headers } = errorAnswer(code, message)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${status} ${phrase}`, ...lines, '', body].join('\r\n'))
}

/** For `checkExpectation`. */
export function refuseExpectation(response: ServerResponse): void {
  refuse(response, unmetExpectation)
}

/**
 * Refuses requests that Node's parser accepts, though a proxy may have interpreted them differently: several Host
 * headers, or none (RFC 9112, 3.2; HTTP/1.0 needs none), and bodies in an unsupported coding (6.1).
 *
 * @returns whether the request was answered.
 */
export function refuseAmbiguous(request: IncomingMessage, response: ServerResponse): boolean {
  const found = ambiguityOf(request)
  if (found !== undefined) refuse(response, found)
  return found !== undefined
}

function ambiguityOf(request: IncomingMessage): RawError | undefined {
  const coding = request.headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') return unknownCoding
  const hosts = countHosts(request)
  if (hosts > 1) return severalHosts
  return hosts === 0 && request.httpVersion !== '1.0' ? noHost : undefined
}

function countHosts({ rawHeaders }: IncomingMessage): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1
  }
  return count
}

function refuse(response: ServerResponse, { status, code, message }: RawError): void {
  const { body, headers } = errorAnswer(code, message)
  response.writeHead(status, headers).end(body)
}

function errorAnswer(
  code: ErrorCode,
  message: string,
): { readonly body: string; readonly headers: Record<string, string> } {
  const correlationId = randomUUID()
  const error: ErrorBody = { error: code, message, correlation_id: correlationId }
  const body = JSON.stringify(error)
  return {
    body,
    headers: {
      'Content-Type': 'application/json',
      'Content-Length': String(Buffer.byteLength(body)),
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': correlationId,
      Connection: 'close',
    },
  }
}
