import { connect, type Socket } from 'node:net'
import type { WireTarget } from '../wire-target.ts'
import { type BackendMessage, fieldsOf, splitMessages, worded } from './backend.ts'
import { int32, message, parameters, startup, terminate, text } from './frontend.ts'
import { createScramClient } from './scram.ts'

/** A socket, and the bytes received from it. */
export interface RawSocket {
  send(...messages: readonly Uint8Array[]): void
  /** The next message; undefined when the server has closed. */
  next(): Promise<BackendMessage | undefined>
  /** The next bytes; empty when the server has closed. */
  nextBytes(count: number): Promise<Buffer>
  close(): void
}

/** Opens a socket and sends nothing. */
export async function openSocket({ host, port }: WireTarget): Promise<RawSocket> {
  const socket = connect(port, host)
  let bytes: Buffer = Buffer.alloc(0)
  let isClosed = false
  let wake = (): void => undefined
  const change = (): void => {
    const waiting = wake
    wake = () => undefined
    waiting()
  }
  socket.on('data', (chunk) => {
    bytes = Buffer.concat([bytes, chunk])
    change()
  })
  // A reset counts as an end of the connection.
  socket.on('error', () => undefined)
  socket.on('close', () => {
    isClosed = true
    change()
  })
  const more = (): Promise<void> =>
    new Promise((resolve) => {
      wake = resolve
    })
  await opened(socket)
  return {
    send: (...messages) => void socket.write(Buffer.concat(messages)),
    next: async () => {
      for (;;) {
        const [[first]] = splitMessages(bytes)
        if (first !== undefined) {
          bytes = bytes.subarray(first.body.length + 5)
          return first
        }
        if (isClosed) return undefined
        await more()
      }
    },
    nextBytes: async (count) => {
      while (bytes.length < count && !isClosed) await more()
      const taken = bytes.subarray(0, count)
      bytes = bytes.subarray(count)
      return taken
    },
    close: () => socket.destroy(),
  }
}

function opened(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('error', reject)
  })
}

/** A session after authentication. */
export interface RawSession extends RawSocket {
  /** The server's messages before it was ready, as text. */
  readonly greeting: readonly string[]
  /** Content of BackendKeyData. */
  readonly key: Buffer
  /**
   * Sends, and reads until the server has been ready this number of times. @returns the messages as text; `closed` at
   * the end of a connection.
   */
  exchange(messages: readonly Uint8Array[], readyCount?: number): Promise<readonly string[]>
  end(): void
}

export interface LoginOptions {
  readonly parameters?: Readonly<Record<string, string>>
  /** As the startup message has it. */
  readonly protocol?: number
}

/** Logs in with the method that the server requests. @throws {Error} the server's error for a refused client. */
export async function logIn(target: WireTarget, options: LoginOptions = {}): Promise<RawSession> {
  const { protocol = 196608, parameters: more = {} } = options
  const socket = await openSocket(target)
  const { user, database, password } = target
  socket.send(startup(protocol, parameters({ user, database, ...more })))
  const scram = createScramClient(password)
  const greeting: string[] = []
  let key: Buffer = Buffer.alloc(0)
  for (;;) {
    const said = await socket.next()
    if (said === undefined) throw new Error('the server closed')
    greeting.push(worded(said))
    if (said.type === 'E') throw new Error(fieldsOf(said.body).get('M'))
    if (said.type === 'K') key = said.body
    if (said.type === 'R') answer(socket, said.body, password, scram)
    if (said.type === 'Z') break
  }
  const exchange: RawSession['exchange'] = async (messages, readyCount = 1) => {
    socket.send(...messages)
    const words: string[] = []
    let ready = 0
    while (ready < readyCount) {
      const said = await socket.next()
      words.push(said === undefined ? 'closed' : worded(said))
      if (said === undefined) break
      if (said.type === 'Z') ready += 1
    }
    return words
  }
  return {
    ...socket,
    greeting,
    key,
    exchange,
    end: () => {
      socket.send(terminate)
      socket.close()
    },
  }
}

/** Answers one request of authentication. */
function answer(
  socket: RawSocket,
  body: Buffer,
  password: string,
  scram: ReturnType<typeof createScramClient>,
): void {
  const asked = body.readInt32BE(0)
  if (asked === 3) socket.send(message('p', text(password)))
  if (asked === 10) {
    const first = Buffer.from(scram.first)
    socket.send(message('p', Buffer.concat([text('SCRAM-SHA-256'), int32(first.length), first])))
  }
  if (asked === 11) socket.send(message('p', Buffer.from(scram.last(body.toString('utf8', 4)))))
}
