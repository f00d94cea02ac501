/** @module The first packet of a client. */
import { isUtf8 } from 'node:buffer'
import { GatewayError } from '@engine/core'

/** `0x00030002` is 3.2. */
export type ProtocolVersion = number

export const newestProtocol: ProtocolVersion = 0x0003_0002

export type StartupPacket =
  /** A request: `code` replaces the protocol version. */
  | { readonly kind: 'tls' | 'gss'; readonly code: number }
  | { readonly kind: 'cancel'; readonly processId: number; readonly secret: Uint8Array }
  | {
      readonly kind: 'startup'
      readonly protocol: ProtocolVersion
      /** User, database and settings: names without the prefix `_pq_.`. */
      readonly parameters: ReadonlyMap<string, string>
      /** Names that begin with `_pq_.`: protocol extensions; this server supports none. */
      readonly extensions: readonly string[]
    }

const tlsCode = 80_877_103
const gssCode = 80_877_104
const cancelCode = 80_877_102

/** A packet without its length. */
export function decodeStartupPacket(body: Buffer): StartupPacket {
  const code = body.readUInt32BE(0)
  if (code === tlsCode && body.length === 4) return { kind: 'tls', code }
  if (code === gssCode && body.length === 4) return { kind: 'gss', code }
  if (code === cancelCode) return cancel(body)
  if (code >>> 16 !== 3) throw unsupportedProtocol(code)
  return { kind: 'startup', protocol: code, ...parametersOf(body) }
}

/** The secret has 4 bytes in protocol 3.0, at most 256 later. */
function cancel(body: Buffer): StartupPacket {
  const secret = body.subarray(8)
  if (secret.length < 4 || secret.length > 256) throw violation('invalid length of cancel request')
  return { kind: 'cancel', processId: body.readInt32BE(4), secret }
}

function parametersOf(body: Buffer): {
  readonly parameters: ReadonlyMap<string, string>
  readonly extensions: readonly string[]
} {
  if (!isUtf8(body.subarray(4))) {
    throw new GatewayError(
      'badRequest',
      'invalid byte sequence for encoding "UTF8" in startup packet',
      {
        sqlState: '22021',
      },
    )
  }
  const texts = body.toString('utf8', 4).split('\0')
  const parameters = new Map<string, string>()
  const extensions: string[] = []
  let at = 0
  for (; texts[at] !== '' && at + 1 < texts.length; at += 2) {
    const name = texts[at] ?? ''
    if (name.startsWith('_pq_.')) extensions.push(name)
    else parameters.set(name, texts[at + 1] ?? '')
  }
  // After a split at NUL, the last text follows the last NUL, and the one before it is the terminator of the list.
  if (at !== texts.length - 2 || texts[at] !== '' || texts[at + 1] !== '') {
    throw violation('invalid startup packet layout: expected terminator as last byte')
  }
  return { parameters, extensions }
}

export function violation(message: string): GatewayError {
  return new GatewayError('badRequest', message, { sqlState: '08P01' })
}

/** The error for a protocol with another major version. */
export function unsupportedProtocol(code: number): GatewayError {
  const version = `${code >>> 16}.${code & 0xffff}`
  return new GatewayError(
    'unsupported',
    `unsupported frontend protocol ${version}: server supports 3.0 to 3.2`,
    { sqlState: '0A000' },
  )
}
