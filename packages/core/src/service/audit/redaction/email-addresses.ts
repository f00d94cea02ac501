/** @module Finds e-mail addresses in text; in doubt a text is taken for an address. Linear in the length of the text. */

/** `@`, its full-width and small forms, or its form in URLs. */
const at = /[@\uFF20\uFE6B]|%40/g

/** A name with or without dots, or an address in brackets. */
const domain =
  /[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}.\-\u3002]{0,252}[\p{L}\p{N}\p{M}])?|\[[0-9A-Fa-f:.]{2,64}\]/uy

/** Characters allowed before the `@` without quotes. `=` and `|` are allowed as well, but separate addresses and SQL. */
const localCharacter = /^[\p{L}\p{N}\p{M}.!#$%&*+\-/?^_~`]$/u

/** The standard allows 64. */
const longestLocal = 128

/** Replaces every address by the result of `replacement`. */
export function replaceEmails(text: string, replacement: (address: string) => string): string {
  let done = ''
  let end = 0
  for (const { 0: sign, index } of text.matchAll(at)) {
    const start = index < end ? index : localStart(text, index, end)
    const stop = domainEnd(text, index + sign.length)
    if (start === index || stop === undefined) continue
    done += text.slice(end, start) + replacement(text.slice(start, stop))
    end = stop
  }
  return end === 0 ? text : done + text.slice(end)
}

/** Is the whole text an address? */
export function isEmail(text: string): boolean {
  const trimmed = text.trim()
  let isWhole = false
  replaceEmails(trimmed, (address) => {
    isWhole = address === trimmed
    return address
  })
  return isWhole
}

/** @param from no character before this index belongs to the address. */
function localStart(text: string, at: number, from: number): number {
  const limit = Math.max(from, at - longestLocal)
  if (text[at - 1] === '"') {
    const opening = text.lastIndexOf('"', at - 2)
    return opening >= limit ? opening : at
  }
  let start = at
  while (start > limit) {
    const before = characterBefore(text, start)
    if (!localCharacter.test(before) && !isInnerQuote(text, start - 1, limit)) break
    start -= before.length
  }
  return start
}

/** `O'Brien`, in SQL `O''Brien`; any other quote ends a text. */
function isInnerQuote(text: string, index: number, limit: number): boolean {
  if (text[index] !== "'") return false
  const left = text[index - 1] === "'" ? index - 2 : index - 1
  const right = text[index + 1] === "'" ? index + 2 : index + 1
  return left >= limit && /\p{L}/u.test(text[left] ?? '') && /\p{L}/u.test(text[right] ?? '')
}

function domainEnd(text: string, from: number): number | undefined {
  domain.lastIndex = from
  return domain.test(text) ? domain.lastIndex : undefined
}

function characterBefore(text: string, index: number): string {
  const low = text.charCodeAt(index - 1)
  const isPair = low >= 0xdc00 && low <= 0xdfff && index > 1
  return text.slice(isPair ? index - 2 : index - 1, index)
}
