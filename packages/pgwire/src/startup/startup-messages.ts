/** @module Messages that the server sends only while a connection starts. */

/** int32 length before the content that follows the type byte. */
function message(letter: string, body: Buffer): Buffer {
  const bytes = Buffer.alloc(5 + body.length)
  bytes.write(letter, 'latin1')
  bytes.writeInt32BE(4 + body.length, 1)
  body.copy(bytes, 5)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

export const authenticationOk: Buffer = message('R', int32(0))

export const authenticationCleartextPassword: Buffer = message('R', int32(3))

/** The key that cancels the session's statements. */
export function backendKeyData(processId: number, secret: Uint8Array): Buffer {
  return message('K', Buffer.concat([int32(processId), secret]))
}

/** @param protocol the version in use from now on. @param extensions names that this server does not know. */
export function negotiateProtocolVersion(protocol: number, extensions: readonly string[]): Buffer {
  const names = extensions.map((name) => Buffer.from(`${name}\0`))
  return message('v', Buffer.concat([int32(protocol), int32(extensions.length), ...names]))
}
