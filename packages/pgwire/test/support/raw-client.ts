/** @module A client that sends and receives single messages, which drivers hide. */
import { once } from 'node:events'
import { connect as connectTcp } from 'node:net'
import type { Duplex } from 'node:stream'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'

/** A message of the server. */
export interface ServerMessage {
  /** Its letter. */
  readonly type: string
  readonly body: Buffer
}

export interface RawClient {
  readonly stream: Duplex
  write(...bytes: readonly Buffer[]): void
  /** The next bytes, this many, unchanged. */
  bytes(count: number): Promise<Buffer>
  /** The next message; undefined when the server closed the connection. */
  message(): Promise<ServerMessage | undefined>
  /** Everything up to a message of this type, or the end. */
  messagesUntil(type: string): Promise<readonly ServerMessage[]>
  /**
   * Sends a startup packet, and a password if the server requests one; reads up to the first ReadyForQuery or error.
   */
  logIn(
    parameters: Readonly<Record<string, string>>,
    options?: { readonly password?: string; readonly protocol?: number },
  ): Promise<readonly ServerMessage[]>
  /** Runs a simple query; returns its answer up to ReadyForQuery. */
  query(sql: string): Promise<readonly ServerMessage[]>
  /** The same connection, with TLS from now on. */
  upgrade(options: ConnectionOptions): Promise<RawClient>
  /** Resolves when the server has closed the connection. */
  closed(): Promise<void>
  destroy(): void
}

/** @param address `127.0.0.1:5433` */
export async function connectRaw(address: string): Promise<RawClient> {
  const [host = '', port = ''] = address.split(':')
  const socket = connectTcp({ host, port: Number(port), allowHalfOpen: true })
  await once(socket, 'connect')
  return rawClient(socket)
}

/** TLS from the first byte, as `sslnegotiation=direct` has it. */
export async function connectDirectTls(
  address: string,
  options: ConnectionOptions,
): Promise<RawClient> {
  const [host = '', port = ''] = address.split(':')
  const socket = connectTls({ host, port: Number(port), servername: 'localhost', ...options })
  await once(socket, 'secureConnect')
  return rawClient(socket)
}

function rawClient(stream: Duplex): RawClient {
  let held = Buffer.alloc(0)
  let isOver = false
  let arrived: () => void = () => undefined
  const onData = (chunk: Buffer) => {
    held = Buffer.concat([held, chunk])
    arrived()
  }
  const onOver = () => {
    isOver = true
    arrived()
  }
  stream.on('data', onData)
  stream.on('end', onOver)
  stream.on('close', onOver)
  stream.on('error', onOver)

  const has = async (count: number): Promise<boolean> => {
    while (held.length < count && !isOver) {
      await new Promise<void>((resolve) => {
        arrived = resolve
      })
    }
    return held.length >= count
  }
  const take = (count: number): Buffer => {
    const bytes = held.subarray(0, count)
    held = held.subarray(count)
    return bytes
  }
  const message = async (): Promise<ServerMessage | undefined> => {
    if (!(await has(5))) return undefined
    const length = held.readInt32BE(1) + 1
    if (!(await has(length))) return undefined
    const bytes = take(length)
    return { type: String.fromCharCode(bytes[0] ?? 0), body: bytes.subarray(5) }
  }
  const messagesUntil = async (type: string) => {
    const messages: ServerMessage[] = []
    for (;;) {
      const next = await message()
      if (next === undefined) return messages
      messages.push(next)
      if (next.type === type) return messages
    }
  }
  const write = (...bytes: readonly Buffer[]) => void stream.write(Buffer.concat(bytes))

  const client: RawClient = {
    stream,
    write,
    bytes: async (count) => {
      await has(count)
      return take(count)
    },
    message,
    messagesUntil,
    logIn: async (parameters, { password, protocol } = {}) => {
      write(startup(parameters, protocol))
      const messages: ServerMessage[] = []
      for (;;) {
        const next = await message()
        if (next === undefined) return messages
        messages.push(next)
        if (next.type === 'R' && next.body.readInt32BE(0) === 3 && password !== undefined) {
          write(frame('p', text(password)))
        }
        if (next.type === 'Z' || next.type === 'E') return messages
      }
    },
    query: (sql) => {
      write(frame('Q', text(sql)))
      return messagesUntil('Z')
    },
    upgrade: async (options) => {
      stream.removeListener('data', onData)
      const encrypted = connectTls({ socket: stream, servername: 'localhost', ...options })
      await once(encrypted, 'secureConnect')
      return rawClient(encrypted)
    },
    closed: async () => {
      while (!isOver) {
        await new Promise<void>((resolve) => {
          arrived = resolve
        })
      }
    },
    destroy: () => void stream.destroy(),
  }
  return client
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16BE(value & 0xffff)
  return bytes
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value | 0)
  return bytes
}

/** The text with its NUL. */
export function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

export function frame(letter: string, ...body: readonly Buffer[]): Buffer {
  const content = Buffer.concat(body)
  return Buffer.concat([Buffer.from(letter, 'latin1'), int32(content.length + 4), content])
}

/** A message of the startup phase: it has no type byte. */
export function packet(...body: readonly Buffer[]): Buffer {
  const content = Buffer.concat(body)
  return Buffer.concat([int32(content.length + 4), content])
}

export function startup(
  parameters: Readonly<Record<string, string>>,
  protocol = 0x0003_0000,
): Buffer {
  const pairs = Object.entries(parameters).flatMap(([name, value]) => [text(name), text(value)])
  return packet(int32(protocol), ...pairs, Buffer.of(0))
}

export const sslRequest: Buffer = packet(int32(80_877_103))
export const gssRequest: Buffer = packet(int32(80_877_104))

export function cancelRequest(processId: number, secret: Buffer): Buffer {
  return packet(int32(80_877_102), int32(processId), secret)
}

/** Letters of messages, one after the other. */
export function types(messages: readonly ServerMessage[]): string {
  return messages.map(({ type }) => type).join('')
}

/** Fields of the first error (or notice) in an answer by their letter: `C` is the SQLSTATE. */
export function errorOf(
  messages: readonly (ServerMessage | undefined)[],
): Readonly<Record<string, string>> {
  const error = messages.find((message) => message?.type === 'E')
  const fields = error?.body.toString().split('\0').filter(Boolean) ?? []
  return Object.fromEntries(fields.map((field) => [field.slice(0, 1), field.slice(1)]))
}

/** Cells of all rows, as text. */
export function rowsOf(
  messages: readonly ServerMessage[],
): readonly (readonly (string | null)[])[] {
  return messages.filter(({ type }) => type === 'D').map(({ body }) => cellsOf(body))
}

function cellsOf(body: Buffer): readonly (string | null)[] {
  const cells: (string | null)[] = []
  let at = 2
  for (let i = 0; i < body.readInt16BE(0); i += 1) {
    const length = body.readInt32BE(at)
    at += 4
    cells.push(length === -1 ? null : body.toString('utf8', at, at + Math.max(length, 0)))
    at += Math.max(length, 0)
  }
  return cells
}

/** Values of the ParameterStatus messages. */
export function parametersOf(messages: readonly ServerMessage[]): Readonly<Record<string, string>> {
  const pairs = messages
    .filter(({ type }) => type === 'S')
    .map(({ body }) => body.toString().split('\0'))
  return Object.fromEntries(pairs.map(([name = '', value = '']) => [name, value]))
}

/** Content of BackendKeyData. */
export function keyOf(messages: readonly ServerMessage[]): {
  readonly processId: number
  readonly secret: Buffer
} {
  const body = messages.find(({ type }) => type === 'K')?.body ?? Buffer.alloc(4)
  return { processId: body.readInt32BE(0), secret: body.subarray(4) }
}
