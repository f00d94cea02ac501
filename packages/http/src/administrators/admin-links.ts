/** @module Links that sign an administrator in once: for the person who started the program, on the same machine. */
import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../route-handler.ts'

export interface AdminLinks {
  /** @returns a token, which is stored nowhere. */
  create(): string
  /** @returns whether it was valid; it is not any more. */
  use(token: string): boolean
}

const lifetimeMs = 2 * 60_000

/**
 * Links of this process; only their digests are kept.
 *
 * @param clock milliseconds since 1970.
 */
export function createAdminLinks(clock: () => number): AdminLinks {
  const ends = new Map<string, number>()
  const digestOf = (token: string) =>
    createHash('sha256').update(`engine admin link v1 ${token}`).digest('base64url')
  return {
    create: () => {
      const token = randomBytes(32).toString('base64url')
      ends.set(digestOf(token), clock() + lifetimeMs)
      return token
    },
    use: (token) => {
      const digest = digestOf(token)
      const endMs = ends.get(digest)
      ends.delete(digest)
      return endMs !== undefined && clock() < endMs
    },
  }
}

const forwardingHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via']

/** A request of this machine to this machine, which no proxy has passed on. */
export function isFromThisMachine({ request, client: { ip } }: Call): boolean {
  const { headers, url } = request
  const host = new URL(`http://${headers.get('host') ?? new URL(url).host}`).hostname
  return (
    ip !== undefined &&
    isLoopback(ip.replace(/^::ffff:/i, '')) &&
    isLoopback(host) &&
    forwardingHeaders.every((name) => !headers.has(name))
  )
}

/**
 * Whether a host is this machine.
 *
 * @param host an address, or a name in the form of a URL.
 */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|\[?::1\]?|127(?:\.\d{1,3}){3})$/.test(host)
}
