/**
 * Address of the peer of the connection, undefined where it is unknown.
 *
 * @param env the value that the runtime passes to a Fetch handler besides the request; no part of it comes from the
 * client.
 */
export type RemoteAddress = (request: Request, env: unknown) => string | undefined

/** In the form of `@hono/node-server`. */
interface NodeEnvironment {
  readonly incoming: { readonly socket?: { readonly remoteAddress?: unknown } }
}

/** In the form of Bun: the server itself is the second argument. */
interface BunEnvironment {
  requestIP(request: Request): { readonly address: unknown } | null
}

/** In the form of `Deno.serve`. */
interface DenoEnvironment {
  readonly remoteAddr: { readonly hostname?: unknown }
}

/** Works on Node, Bun and Deno. Other runtimes do not provide the address. */
export function runtimeAddress(request: Request, env: unknown): string | undefined {
  if (typeof env !== 'object' || env === null) return undefined
  const address = addressIn(request, env)
  return typeof address === 'string' ? address : undefined
}

function addressIn(request: Request, env: object): unknown {
  if ('incoming' in env) return (env as NodeEnvironment).incoming.socket?.remoteAddress
  if ('requestIP' in env) return (env as BunEnvironment).requestIP(request)?.address
  if ('remoteAddr' in env) return (env as DenoEnvironment).remoteAddr.hostname
  return undefined
}
