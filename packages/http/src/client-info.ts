import { isIP } from 'node:net'
import { addressList, type ClientInfo, canonicalAddress } from '@engine/core'

/** From a request to where it came from. */
export type ClientInfoOf = (request: Request, env: unknown, correlationId: string) => ClientInfo

/**
 * Address of whoever holds the other end of the connection, undefined where it cannot be known.
 *
 * @param env what the runtime passes to a Fetch handler beside the request.
 */
export type RemoteAddress = (request: Request, env: unknown) => string | undefined

/** Longer names of browsers are cut. */
const maxUserAgentLength = 512

/**
 * Believes `X-Forwarded-For` as far as trusted proxies wrote it: from the right, up to the first address that is none of
 * theirs. Whatever stands left of that came from the client. `Forwarded` and the like are not read: a proxy that writes
 * the one lets the other pass as it came.
 *
 * @param trustProxy CIDR ranges.
 * @param remoteAddress by default that of a socket of Node, as `@hono/node-server` passes it.
 */
export function createClientInfo(
  trustProxy: readonly string[],
  remoteAddress: RemoteAddress = socketAddress,
): ClientInfoOf {
  const proxies = addressList(trustProxy)
  const isProxy = (address: string): boolean =>
    proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  const isDirect = trustProxy.length === 0

  const clientAddress = (request: Request, env: unknown): string | undefined => {
    const remote = remoteAddress(request, env)
    const address = remote === undefined ? undefined : canonicalAddress(remote)
    if (isDirect || address === undefined || !isProxy(address)) return address
    const forwarded = request.headers.get('x-forwarded-for')
    return forwarded === null ? address : lastUntrusted(forwarded, isProxy)
  }
  return (request, env, correlationId) => ({
    ip: clientAddress(request, env),
    userAgent: request.headers.get('user-agent')?.slice(0, maxUserAgentLength),
    correlationId,
  })
}

/** The first address where all are trusted; undefined when something else than an address comes before that is known. */
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

/** `10.0.0.1:80`, `[::1]:80` and `[::1]` without what is not the address. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/.exec(hop) ?? []
  return bracketed ?? plain ?? hop
}

interface NodeEnvironment {
  readonly incoming?: { readonly socket?: { readonly remoteAddress?: unknown } }
}

function socketAddress(_: Request, env: unknown): string | undefined {
  const address = (env as NodeEnvironment | undefined)?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address : undefined
}
