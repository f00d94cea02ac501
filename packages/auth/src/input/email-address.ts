/** @module E-mail addresses as users enter them, and the key of their accounts. */
import { domainToASCII } from 'node:url'

export interface EmailAddress {
  /** As entered, without surrounding blanks: for display and for sending mail. */
  readonly address: string
  /** Lower case, domain as A-labels: two spellings of one mailbox have the same key. */
  readonly key: string
}

const maxBytes = 254
const maxLocalBytes = 64

/** Unquoted local parts of RFC 5321: everything but blanks, controls, quotes, brackets and separators. */
const localPart = /^[\w!#$%&'*+/=?^`{|}~.-]+$/
const utf8LocalPart = /^[\w!#$%&'*+/=?^`{|}~.\u{a1}-\u{10ffff}-]+$/u

/** Characters that are no letters: separators, controls, formats, unassigned. */
const unprintable = /[\p{C}\p{Z}]/u

const domain =
  /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Dots and `+tags` stay: only the mail server knows their meaning. Only ASCII letters become lower case: others are not
 * allowed unless `allowUtf8` is set, and then keep their case.
 *
 * @returns undefined for an invalid address. Quoted local parts and address literals (`[192.0.2.1]`) count as invalid.
 */
export function parseEmail(text: string, allowUtf8: boolean): EmailAddress | undefined {
  if (text.length > 1_000) return undefined
  const address = text.replace(/^ +| +$/g, '')
  if (Buffer.byteLength(address) > maxBytes || unprintable.test(address)) return undefined
  const parts = address.split('@')
  const [local = '', host = ''] = parts
  if (parts.length !== 2 || Buffer.byteLength(local) > maxLocalBytes) return undefined
  if (!(allowUtf8 ? utf8LocalPart : localPart).test(local)) return undefined
  if (local.startsWith('.') || local.endsWith('.') || local.includes('..')) return undefined
  const ascii = asciiDomain(host)
  if (ascii === undefined) return undefined
  const key = `${lowerAscii(allowUtf8 ? local.normalize('NFC') : local)}@${ascii}`
  return Buffer.byteLength(key) > maxBytes ? undefined : { address, key }
}

function asciiDomain(host: string): string | undefined {
  // The URL parser below would decode percent signs and the like; a domain contains none.
  if (!/^[\p{L}\p{M}\p{N}.\-\u{3002}\u{ff0e}\u{ff61}]+$/u.test(host)) return undefined
  const ascii = domainToASCII(host).toLowerCase()
  // The URL parser reads a number alone as an IPv4 address.
  return domain.test(ascii) && !/^[\d.]+$/.test(ascii) ? ascii : undefined
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}
