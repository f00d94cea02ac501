/** @module Removes e-mail addresses and telephone numbers from recorded data. */

import { isEmail, replaceEmails } from './email-addresses.ts'
import { isPhoneNumber, replacePhones } from './phone-numbers.ts'

/** Removes personal data; `keepsAll` where that is switched off. */
export interface Redaction {
  /** SQL, messages: addresses become `[email]`, numbers `[phone]`. */
  text(text: string): string
  /** A JSON value, including keys and nested values. */
  value(value: unknown): unknown
  /** Identities: an address becomes `email:<hash>`, the same for the same account. */
  identity(text: string): string
  /** Like `value`, but addresses become the result of `identity`. */
  facts(value: unknown): unknown
}

const phoneMark = '[phone]'

/** A placeholder for an address; it is removed from texts of clients. */
const separator = '\u0000'

/** Deeper values are left out: no real client sends them. */
const mostDepth = 32

/** @param hashEmail one way, under a key: equal for equal addresses. */
export function createRedaction(hashEmail: (address: string) => string): Redaction {
  const text = (input: string) =>
    replacePhones(
      replaceEmails(input, () => '[email]'),
      phoneMark,
    )
  /** Hashes contain many digits: only the text between them is searched for telephone numbers. */
  const identities = (input: string) => {
    const parts: string[] = []
    const marked = replaceEmails(input.replaceAll(separator, ''), (address) => {
      parts.push(hashEmail(address))
      return separator
    })
    const rest = replacePhones(marked, phoneMark)
    return rest.split(separator).reduce((whole, part, i) => `${whole}${parts[i - 1] ?? ''}${part}`)
  }
  return {
    text: remember(text),
    value: (value) => mapTexts(value, text),
    identity: remember((input) => {
      if (isEmail(input)) return hashEmail(input)
      return /^\s*\+/.test(input)
        ? replacePhones(input, phoneMark)
        : replaceEmails(input, hashEmail)
    }),
    facts: (value) => mapTexts(value, identities),
  }
}

/** Changes nothing. */
export const keepsAll: Redaction = {
  text: (text) => text,
  value: (value) => value,
  identity: (text) => text,
  facts: (value) => value,
}

/** Texts of which the result is remembered, and their longest. */
const remembered = { texts: 500, length: 2_000 } as const

/** Programs send the same statements, roles and callers again and again. */
function remember(change: (text: string) => string): (text: string) => string {
  const known = new Map<string, string>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const result = change(text)
    if (text.length > remembered.length) return result
    if (known.size >= remembered.texts) known.clear()
    known.set(text, result)
    return result
  }
}

function mapTexts(value: unknown, change: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return change(value)
  if (typeof value === 'number' || typeof value === 'bigint') {
    return isPhoneNumber(value) ? phoneMark : value
  }
  if (typeof value !== 'object' || value === null) return value
  if (depth >= mostDepth) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [change(key), mapTexts(item, change, depth + 1)]),
  )
}
