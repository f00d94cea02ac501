/** @module Rows in binary, as the server sends them: node-postgres makes texts of their bytes. */
import { once } from 'node:events'
import { connect } from 'node:net'

/** `rows[i][j]`: the bytes of a cell; null for NULL. */
export type BinaryRows = readonly (Buffer | null)[][]

/**
 * The answer of a statement whose columns are all asked for in binary, on a connection of its own.
 *
 * @param address `127.0.0.1:5433`, of a server that asks for no password.
 * @throws {Error} with the server's message.
 */
export async function binaryRows(address: string, sql: string): Promise<BinaryRows> {
  const [host = '', port = ''] = address.split(':')
  const socket = connect({ host, port: Number(port) })
  await once(socket, 'connect')
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(socket, 'close')
  socket.write(
    Buffer.concat([
      packet('', int32(196_608), text('user'), text('anyone'), text('database'), text('x'), zero),
      packet('P', text(''), text(sql), int16(0)),
      packet('B', text(''), text(''), int16(0), int16(0), int16(1), int16(1)),
      packet('E', text(''), int32(0)),
      packet('S'),
      packet('X'),
    ]),
  )
  await ended
  return readRows(Buffer.concat(chunks))
}

function readRows(bytes: Buffer): BinaryRows {
  const rows: (Buffer | null)[][] = []
  for (let at = 0; at < bytes.length; ) {
    const type = String.fromCharCode(bytes[at] as number)
    const end = at + 1 + bytes.readInt32BE(at + 1)
    if (type === 'E') throw new Error(bytes.toString('utf8', at + 5, end))
    if (type === 'D') rows.push(cellsOf(bytes.subarray(at + 5, end)))
    at = end
  }
  return rows
}

function cellsOf(body: Buffer): (Buffer | null)[] {
  let at = 2
  return Array.from({ length: body.readInt16BE(0) }, () => {
    const length = body.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return body.subarray(at - length, at)
  })
}

const zero = Buffer.from([0])

function packet(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(body.length + 4), body])
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
