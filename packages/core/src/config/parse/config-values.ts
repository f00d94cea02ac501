/** @module Checks that several sections of a configuration use. */
import { BlockList, isIP } from 'node:net'
import { z } from 'zod'
import { parseDuration } from './units.ts'
import { urlProblem } from './url-problem.ts'

const isEmpty =
  'is empty: expects 32 bytes or more that nobody can guess, such as `openssl rand -hex 32` prints; is its environment variable set, in .env for example?'

/** A secret of any length; `shortSecrets` lists those that are too short for production. */
export const secret: z.ZodType<string> = z.string().min(1, isEmpty)

/** A secret that is sent in a header. */
export const headerSecret: z.ZodType<string> = z.string().regex(/^[!-~]([ -~]*[!-~])?$/, {
  error: ({ input }) =>
    input === '' ? isEmpty : 'expects printable ASCII characters, blanks inside only',
})

/** A duration such as `24h`, as milliseconds. */
export function duration(minimumMs: number, maximumMs: number): z.ZodType<number> {
  return z.string().transform((text, context) => {
    const found = parseDuration(text)
    if (found !== undefined && found >= minimumMs && found <= maximumMs) return found
    context.addIssue({
      code: 'custom',
      message:
        found === undefined
          ? 'expects a duration such as "24h", "30d" or "90s"'
          : `expects ${minimumMs} to ${maximumMs} milliseconds`,
    })
    return z.NEVER
  })
}

/** `10.0.0.0/8`, `::1/128`, or one address. */
export const cidr: z.ZodType<string> = z.string().refine(isCidr, {
  error: 'expects an address or a range such as "10.0.0.0/8" or "fd00::/8"',
})

/** A new list of ranges; IPv4 addresses in IPv6 notation match IPv4 ranges. */
export function addressList(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(
      address,
      bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits),
      family,
    )
  }
  return list
}

function isCidr(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0 || address.includes('%')) return false
  if (bits === undefined) return true
  return /^\d{1,3}$/.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)
}

/** `roles` → `['roles']`; `https://example.com/roles` is one name, although it contains dots. */
export function claimPath(claim: string): readonly string[] {
  return claim.includes('://') ? [claim] : claim.split('.')
}

/** A text that may be a URL with a password: see `urlProblem`. */
export const serverUrl: z.ZodType<string> = z
  .string()
  .min(1)
  .refine(hasNoProblem, {
    error: ({ input }) => urlProblem(String(input)) ?? 'is empty',
  })

function hasNoProblem(url: string): boolean {
  return urlProblem(url) === undefined
}

/** The same, restricted to one of these protocols. */
export function urlOf(protocol: RegExp): z.ZodType<string> {
  return serverUrl.pipe(z.url({ protocol }))
}
