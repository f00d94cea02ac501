/** @module Requests of `node:http` that are answered without Fetch: those whose headers and body need no special care. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Arrival, Place } from '../response/answer-calls.ts'
import type { PlainAnswer } from '../response/direct-data.ts'
import type { IncomingRequest } from './incoming-request.ts'

/** Bytes of a body that Node itself keeps for a request that is not read. */
const mostBodyBytes = 65_536

/** A name or an IPv4 address, and a port: of other hosts, Fetch decides whether they are valid. */
const plainHost = /^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::\d{1,5})?$/i

/** Is the request a POST to `path` with a short body of a known length that nobody has read? */
export function isPlainPost(incoming: IncomingMessage, path: string): boolean {
  const { method, url, headers } = incoming
  if (method !== 'POST' || url !== path || incoming.readableDidRead) return false
  if (headers['transfer-encoding'] !== undefined || headers.expect !== undefined) return false
  const { host, 'content-length': length } = headers
  if (host === undefined || !plainHost.test(host)) return false
  return length !== undefined && Number(length) <= mostBodyBytes && !('rawBody' in incoming)
}

/** @param outgoing the answer, whose connection may be closed. */
export function arrivalOf(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  place: () => Place,
): Arrival<IncomingRequest> {
  const { socket } = incoming
  return {
    request: new NodeRequest(incoming),
    remoteAddress: socket.remoteAddress,
    place,
    isAbandoned: () => incoming.errored !== null || isCutOff(outgoing),
    onAbandoned: (callback) => {
      if (socket.destroyed) callback()
      else socket.once('close', callback)
    },
    connection: socket,
  }
}

function isCutOff({ destroyed, writableFinished }: ServerResponse): boolean {
  return destroyed && !writableFinished
}

class NodeRequest implements IncomingRequest {
  readonly method = 'POST'
  readonly #incoming: IncomingMessage

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming
  }

  /** This object: every request has one less. */
  get headers(): this {
    return this
  }

  /** Joins the values of a repeated header, of which `incoming.headers` has only the first. */
  get(name: string): string | null {
    const { rawHeaders } = this.#incoming
    let found: string | null = null
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const given = rawHeaders[i] ?? ''
      if (given.length !== name.length || given.toLowerCase() !== name) continue
      const value = rawHeaders[i + 1] ?? ''
      found = found === null ? value : `${found}, ${value}`
    }
    return found
  }

  keys(): readonly string[] {
    return Object.keys(this.#incoming.headers)
  }

  get body(): AsyncIterable<Uint8Array> {
    return this.#incoming
  }

  /** A body that has arrived is read at once: its stream need not be started. */
  wholeBody(): Uint8Array | undefined {
    const incoming = this.#incoming
    if (!incoming.complete || incoming.destroyed) return undefined
    return (incoming.read() as Buffer | null) ?? Buffer.alloc(0)
  }

  /** Rejects when the connection ends before the body does. */
  arrayBuffer(): Promise<Uint8Array> {
    return collected(this.#incoming)
  }
}

function collected(incoming: IncomingMessage): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const [first = Buffer.alloc(0)] = chunks
      resolve(chunks.length > 1 ? Buffer.concat(chunks) : first)
    })
    incoming.on('error', reject)
    incoming.on('close', () => {
      if (!incoming.readableEnded) reject(new Error('the connection was closed'))
    })
  })
}

/** Larger bodies are not copied into one text with their head. */
const mostTextBytes = 16_384

/** Writes the head and a short body at once. */
export function send(outgoing: ServerResponse, { status, headers, body }: PlainAnswer): void {
  if (typeof body === 'string') {
    const bytes = Buffer.byteLength(body)
    headers['Content-Length'] = String(bytes)
    outgoing.writeHead(status, headers).end(body, bytes === body.length ? 'latin1' : 'utf8')
    return
  }
  headers['Content-Length'] = String(body.byteLength)
  outgoing.writeHead(status, headers)
  if (body.byteLength > mostTextBytes) outgoing.end(body)
  else outgoing.end(textOf(body), 'latin1')
}

/** One character for each byte. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}
