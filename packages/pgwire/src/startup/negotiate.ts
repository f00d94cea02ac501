/** @module Reads the start of a connection: TLS negotiation, then the startup packet or a cancel request. */
import type { Socket } from 'node:net'
import { type ByteSource, createByteSource } from './byte-source.ts'
import {
  decodeStartupPacket,
  type StartupPacket,
  unsupportedProtocol,
  violation,
} from './startup-packet.ts'
import { type Certificate, secure } from './tls.ts'

/** A connection whose further bytes come from `source`. */
export interface Channel {
  readonly stream: Socket
  readonly source: ByteSource
  readonly isEncrypted: boolean
}

/** The first packet of a client, and the channel to the client. */
export interface Opening {
  readonly channel: Channel
  readonly packet: Extract<StartupPacket, { readonly kind: 'startup' | 'cancel' }>
}

/** First byte of a TLS handshake: no length of a startup packet begins with it. */
const tlsHandshake = 0x16

/** Maximum bytes of a startup packet, including its length. */
const longestPacket = 10_000

/**
 * Negotiates TLS, where the client requests it.
 *
 * @param onChannel is called with the channel in use, also with that of a refused client.
 * @returns undefined when the client closed the connection, or sent bytes that get no answer.
 * @throws {GatewayError} the error for the client; the connection ends.
 */
export async function negotiate(
  stream: Socket,
  certificate: Certificate | undefined,
  onChannel: (channel: Channel) => void,
): Promise<Opening | undefined> {
  let channel = plainChannel(stream)
  onChannel(channel)
  let mayAskForTls = true
  let mayAskForGss = true

  /** @returns whether the client accepts. */
  const encrypt = async (isDirect: boolean): Promise<boolean> => {
    if (certificate === undefined) return false
    const hello = channel.source.release()
    if (hello.length > 0 && !stream.readableEnded) stream.unshift(hello)
    const encrypted = await secure(stream, certificate.context(), isDirect)
    if (encrypted === undefined) return false
    channel = { stream: encrypted, source: createByteSource(encrypted), isEncrypted: true }
    onChannel(channel)
    mayAskForTls = false
    mayAskForGss = false
    return true
  }

  const first = await channel.source.peek(1)
  if (first?.[0] === tlsHandshake && !(await encrypt(true))) return undefined
  for (;;) {
    const packet = await readPacket(channel.source)
    if (packet === undefined) return undefined
    switch (packet.kind) {
      case 'tls': {
        if (!mayAskForTls) throw unsupportedProtocol(packet.code)
        mayAskForTls = false
        requireNothingBehind(channel.source, 'SSL')
        channel.stream.write(certificate === undefined ? 'N' : 'S')
        if (certificate !== undefined && !(await encrypt(false))) return undefined
        break
      }
      case 'gss':
        if (!mayAskForGss) throw unsupportedProtocol(packet.code)
        mayAskForGss = false
        requireNothingBehind(channel.source, 'GSSAPI encryption')
        channel.stream.write('N')
        break
      case 'startup':
      case 'cancel':
        return { channel, packet }
    }
  }
}

function plainChannel(stream: Socket): Channel {
  return { stream, source: createByteSource(stream), isEncrypted: false }
}

/**
 * Bytes after the request came before its answer: an attacker may have sent them, so they are never read
 * (CVE-2021-23222).
 */
function requireNothingBehind(source: ByteSource, request: string): void {
  if (source.buffered() === 0) return
  throw violation(`received unencrypted data after ${request} request`)
}

/** @returns undefined when there is no packet, or its length is invalid. */
async function readPacket(source: ByteSource): Promise<StartupPacket | undefined> {
  const header = await source.read(4)
  if (header === undefined) return undefined
  const length = header.readInt32BE(0)
  if (length < 8 || length > longestPacket) return undefined
  const body = await source.read(length - 4)
  return body && decodeStartupPacket(body)
}
