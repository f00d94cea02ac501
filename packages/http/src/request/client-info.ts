import { isIP } from 'node:net'
import { addressList, type ClientInfo, canonicalAddress } from '@engine/core/server'
import type { IncomingRequest } from './incoming-request.ts'

/**
 * Finds the client's address and name from a request.
 *
 * @param remoteAddress of the peer of the connection.
 */
export type ClientInfoOf = (
  request: Pick<IncomingRequest, 'headers'>,
  remoteAddress: string | undefined,
  correlationId: string,
) => ClientInfo

/** Maximum length of a browser's name; longer ones are cut. */
const maxUserAgentLength = 512

/**
 * Trusts `X-Forwarded-For` as far as trusted proxies wrote it: from the right, up to the first address that does not
 * belong to them. All text left of that came from the client. `Forwarded` and similar headers are not read: a proxy
 * that writes one of them passes the others unchanged.
 *
 * @param trustProxy CIDR ranges; or the number of proxies that every request passes, with any addresses.
 */
export function createClientInfo(trustProxy: readonly string[] | number): ClientInfoOf {
  const hops = typeof trustProxy === 'number' ? trustProxy : 0
  const ranges = typeof trustProxy === 'number' ? [] : trustProxy
  const proxies = addressList(ranges)
  const isProxy = (address: string): boolean =>
    proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  const isDirect = ranges.length === 0 && hops === 0

  const clientAddress = (
    { headers }: Pick<IncomingRequest, 'headers'>,
    remote: string | undefined,
  ): string | undefined => {
    const address = remote === undefined ? undefined : canonicalAddress(remote)
    if (isDirect || address === undefined || (hops === 0 && !isProxy(address))) return address
    const forwarded = headers.get('x-forwarded-for')
    if (forwarded === null) return address
    return hops > 0 ? addressBefore(hops, forwarded) : lastUntrusted(forwarded, isProxy)
  }
  return (request, remoteAddress, correlationId) => ({
    ip: clientAddress(request, remoteAddress),
    userAgent: request.headers.get('user-agent')?.slice(0, maxUserAgentLength),
    correlationId,
  })
}

/** The address that the first of this number of proxies wrote; the first address where fewer wrote one. */
function addressBefore(hops: number, forwarded: string): string | undefined {
  const written = forwarded.split(',')
  return canonicalAddress(withoutPort(written.at(Math.max(-hops, -written.length))?.trim() ?? ''))
}

/** The first address where all are trusted; undefined when a text that is not an address comes before that is known. */
function lastUntrusted(
  forwarded: string,
  isProxy: (address: string) => boolean,
): string | undefined {
  let first: string | undefined
  for (const hop of forwarded.split(',').reverse()) {
    const address = canonicalAddress(withoutPort(hop.trim()))
    if (address === undefined || !isProxy(address)) return address
    first = address
  }
  return first
}

/** Reads `10.0.0.1:80`, `[::1]:80` and `[::1]`: only the address. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return bracketed ?? plain ?? hop
}
