/** @module Messages of a client, as bytes. */

/** Type byte, length, body. */
export function message(type: string, body: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.concat([Buffer.from(type, 'latin1'), int32(body.length + 4), body])
}

/** Without a type: the first message of a connection. */
export function startup(code: number, body: Uint8Array = new Uint8Array()): Buffer {
  return Buffer.concat([int32(body.length + 8), int32(code), body])
}

/** Parameters of a startup message. */
export function parameters(values: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat([...Object.entries(values).flat().map(text), Buffer.from([0])])
}

export const query = (sql: string): Buffer => message('Q', text(sql))

export const sync: Buffer = message('S')
export const flush: Buffer = message('H')
export const terminate: Buffer = message('X')
export const copyDone: Buffer = message('c')
export const copyFail = (reason: string): Buffer => message('f', text(reason))
export const copyData = (data: string | Uint8Array): Buffer => message('d', Buffer.from(data))

/** @param types oid of each parameter; none where they are to be inferred. */
export function parse(sql: string, name = '', types: readonly number[] = []): Buffer {
  return message(
    'P',
    Buffer.concat([text(name), text(sql), int16(types.length), ...types.map(int32)]),
  )
}

export interface BindOptions {
  readonly portal?: string
  readonly statement?: string
  /** Text, bytes or NULL. */
  readonly values?: readonly (string | Uint8Array | null)[]
  /** 0 text, 1 binary. */
  readonly formats?: readonly number[]
  readonly resultFormats?: readonly number[]
}

export function bind({
  portal = '',
  statement = '',
  values = [],
  formats = [],
  resultFormats = [],
}: BindOptions = {}): Buffer {
  const given = values.map((value) =>
    value === null
      ? int32(-1)
      : Buffer.concat([int32(Buffer.from(value).length), Buffer.from(value)]),
  )
  return message(
    'B',
    Buffer.concat([
      text(portal),
      text(statement),
      int16(formats.length),
      ...formats.map(int16),
      int16(values.length),
      ...given,
      int16(resultFormats.length),
      ...resultFormats.map(int16),
    ]),
  )
}

export const describeStatement = (name = ''): Buffer => message('D', named('S', name))
export const describePortal = (name = ''): Buffer => message('D', named('P', name))
export const closeStatement = (name = ''): Buffer => message('C', named('S', name))
export const closePortal = (name = ''): Buffer => message('C', named('P', name))

/** @param maxRows 0: all */
export function execute(portal = '', maxRows = 0): Buffer {
  return message('E', Buffer.concat([text(portal), int32(maxRows)]))
}

export function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

/** With its terminator. */
export function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function named(kind: 'S' | 'P', name: string): Buffer {
  return Buffer.concat([Buffer.from(kind), text(name)])
}
