/** @module A server that is started when the first test requests it: from another process, so through a socket. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Creates a text at the first request, and returns it for all requests. */
export interface OnDemand {
  /** Port on the loopback interface. */
  readonly port: number
  /** Whether it was requested. Then the text that it created, or the error. */
  readonly made: () => Promise<string> | undefined
  readonly close: () => void
}

/** Answers with `ok` or `no`, a blank and the result of `make`, or the reason of its failure. */
export async function offerOnDemand(make: () => Promise<string>): Promise<OnDemand> {
  let made: Promise<string> | undefined
  const answer = async (socket: Socket): Promise<void> => {
    made ??= make()
    socket.end(
      await made.then(
        (text) => `ok ${text}`,
        (error: unknown) => `no ${String(error)}`,
      ),
    )
  }
  const server = createServer((socket) => {
    // A client that does not wait for the answer does not need it.
    socket.on('error', () => undefined)
    void answer(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  server.unref()
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no TCP port was given')
  return { port: address.port, made: () => made, close: () => server.close() }
}

/**
 * The text that the port provides.
 *
 * @throws {Error} when it could not be created.
 */
export async function takeOnDemand(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = ''
  for await (const chunk of socket) answer += String(chunk)
  const text = answer.slice(3)
  if (!answer.startsWith('ok ')) throw new Error(text)
  return text
}
