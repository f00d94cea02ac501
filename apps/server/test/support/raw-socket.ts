import { connect, type Socket } from 'node:net'

/** One answer on a connection, its headers by lower-case name. */
export interface RawAnswer {
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  readonly body: string
}

/** A connection to an HTTP server that can send any bytes. */
export interface RawSocket {
  readonly socket: Socket
  send(...parts: readonly (string | Uint8Array)[]): void
  /** The next answer; all that we send have a Content-Length. */
  answer(): Promise<RawAnswer>
  /** Resolves when the server has closed the connection. */
  readonly closed: Promise<void>
}

/** @param url `http://127.0.0.1:3001` */
export function openSocket(url: string): RawSocket {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = Buffer.alloc(0)
  let arrived = Promise.withResolvers<void>()
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    arrived.resolve()
    arrived = Promise.withResolvers()
  })
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  // An error of the connection is visible in `closed`, and in a missing answer.
  socket.on('error', () => socket.destroy())
  const lost = closed.then(() => {
    throw new Error(`the connection was closed behind ${JSON.stringify(received.toString())}`)
  })
  lost.catch(() => undefined)

  const take = (): RawAnswer | undefined => {
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const [statusLine = '', ...lines] = received.toString('latin1', 0, end).split('\r\n')
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
      }),
    )
    const bodyEnd = end + 4 + Number(headers.get('content-length') ?? 0)
    if (received.byteLength < bodyEnd) return undefined
    const body = received.toString('utf8', end + 4, bodyEnd)
    received = received.subarray(bodyEnd)
    return { status: Number(statusLine.split(' ')[1]), headers, body }
  }
  return {
    socket,
    send: (...parts) => {
      for (const part of parts) socket.write(part)
    },
    answer: async () => {
      for (;;) {
        const found = take()
        if (found !== undefined) return found
        await Promise.race([arrived.promise, lost])
      }
    },
    closed,
  }
}

/** A `POST /data` as bytes. */
export function rawRequest(body: unknown, more: readonly string[] = []): string {
  const text = JSON.stringify(body)
  return [
    'POST /data HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    ...more,
    '',
    text,
  ].join('\r\n')
}
