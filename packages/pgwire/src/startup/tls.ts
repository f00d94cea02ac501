/** @module Starts TLS on a connection. */
import { constants } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { GatewayError } from '@engine/core'
import type { PgWireCertificate } from '@engine/core/session'

/** The certificate of new connections. */
export interface Certificate {
  readonly context: () => SecureContext
  /** @throws {GatewayError} `invalidConfiguration`: then nothing changes. */
  replace(tls: PgWireCertificate): void
}

/** @throws {GatewayError} `invalidConfiguration` when key and certificate do not match, or are invalid. */
export function createCertificate(tls: PgWireCertificate): Certificate {
  let context = contextOf(tls)
  return {
    context: () => context,
    replace: (next) => {
      context = contextOf(next)
    },
  }
}

function contextOf({ key, cert }: PgWireCertificate): SecureContext {
  try {
    return createSecureContext({
      key: pem(key),
      cert: pem(cert),
      minVersion: 'TLSv1.2',
      secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : 'not readable'
    throw new GatewayError('invalidConfiguration', `pgWire.tls: ${reason}`, { cause })
  }
}

function pem(content: string | Uint8Array): string | Buffer {
  return typeof content === 'string' ? content : Buffer.from(content)
}

/** The name of the protocol inside TLS, see libpq's `sslnegotiation`. */
const protocolName = 'postgresql'

/**
 * Performs the TLS handshake; bytes that wait in the socket are its beginning.
 *
 * @param isNameRequired the client must name the protocol (ALPN), so that no other protocol can be mistaken for it.
 * @returns undefined when the handshake fails: the connection is closed.
 */
export function secure(
  socket: Duplex,
  context: SecureContext,
  isNameRequired: boolean,
): Promise<TLSSocket | undefined> {
  const tlsSocket = new TLSSocket(socket, {
    isServer: true,
    secureContext: context,
    ALPNProtocols: [protocolName],
  })
  return new Promise((resolve) => {
    const fail = () => {
      tlsSocket.destroy()
      socket.destroy()
      resolve(undefined)
    }
    // Every failure closes the connection.
    tlsSocket.on('error', fail)
    tlsSocket.once('close', fail)
    tlsSocket.once('secure', () => {
      if (isNameRequired && tlsSocket.alpnProtocol !== protocolName) return fail()
      tlsSocket.removeListener('close', fail)
      resolve(tlsSocket)
    })
  })
}
