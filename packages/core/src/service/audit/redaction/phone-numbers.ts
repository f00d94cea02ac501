/**
 * @module Finds telephone numbers in text: international ones, and national ones of most countries. Any text that looks like one
 * counts as one; dates, decimals, UUIDs, IP addresses and most ids are left unchanged.
 *
 * Own patterns instead of libphonenumber: without the country, that library does not find national numbers at all.
 */

/** Blanks, brackets, dots, slashes and dashes of every kind. */
const separator = String.raw`[ \t\u00a0\u2007\u2009\u202f().\-/\u2010-\u2015\u2212]`

/** Texts with many digits that are known to be something else; in order of preference. */
const harmless = [
  // UUID
  String.raw`[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}(?![\p{L}\p{Nd}])`,
  // 2024-01-15, 2024-01-15T10:30:00.123+05:30
  String.raw`\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?(?![\p{L}\p{Nd}]|-\d)`,
  // 15.01.2024, 1/15/2024
  String.raw`\d{1,2}(?<mark>[./-])\d{1,2}\k<mark>(?:19|20)\d{2}(?![\p{L}\p{Nd}]|[./-]\d)`,
  // 2024/01/15
  String.raw`(?:19|20)\d{2}(?<sign>[./])\d{1,2}\k<sign>\d{1,2}(?![\p{L}\p{Nd}]|[./-]\d)`,
  // 10:30:00.123
  String.raw`\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?![\p{L}\p{Nd}])`,
  // 192.168.0.1/24
  String.raw`(?:\d{1,3}\.){3}\d{1,3}(?:/\d{1,2})?(?![\p{L}\p{Nd}]|[.-]\d)`,
  // 3.14159265, 1.5e-10
  String.raw`(?:0|[1-9]\d*)\.\d+(?:e[+-]?\d+)?(?![\p{L}\p{Nd}]|[./-]\d)`,
  // 2019-2024
  String.raw`(?:19|20)\d{2} ?[-/\u2013] ?(?:19|20)\d{2}(?![\p{L}\p{Nd}]|[./-]\d)`,
]

/** A plus, a number in brackets, or the absence of a character that would make it part of a name. */
const lead = String.raw`(?:[+\uFF0B]${separator}{0,2}|\([+\uFF0B]?\p{Nd}{1,5}\)${separator}{0,3}|(?<![\p{L}\p{Nd}_]))`

const candidate = String.raw`${lead}\p{Nd}(?:${separator}{0,4}\p{Nd})*`

const pattern = new RegExp(
  `(?<harmless>(?<![\\p{L}\\p{Nd}_.])(?:${harmless.join('|')}))|(?<candidate>${candidate})`,
  'giu',
)

/** No telephone number has fewer. */
const fewestDigits = 7

/** Scripts whose digits occur in telephone numbers, by the code of their zero. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6, 0xff10]

/** Replaces every number that may be a telephone number. Linear in the length of the text. */
export function replacePhones(text: string, replacement: string): string {
  if (!/\p{Nd}/u.test(text)) return text
  return text.replace(pattern, (found: string, ...rest) => {
    const groups = rest.at(-1) as { readonly candidate?: string }
    if (groups.candidate === undefined || found.length < fewestDigits) return found
    const start = rest.at(-3) as number
    const stop = start + found.length
    const around = {
      before: text.slice(Math.max(0, start - 2), start),
      after: text.slice(stop, stop + 3),
    }
    return isPhone(found, around) ? replacement : found
  })
}

/** A number on its own, such as a JSON value: only lengths that ids seldom have count. */
export function isPhoneNumber(value: number | bigint): boolean {
  const digits = String(value)
  return /^\d{10,13}$/.test(digits) && isPlainPhone(digits)
}

interface Around {
  readonly before: string
  readonly after: string
}

function isPhone(found: string, { before, after }: Around): boolean {
  const text = withPlainDigits(found)
  const groups = text.match(/\d+/g) ?? []
  const digits = groups.join('')
  const [first = '', ...others] = groups
  const count = digits.length
  if (/^\(?[+\uFF0B]/.test(text)) return count >= fewestDigits
  if (/^00[1-9]/.test(digits) && count >= 9) return true
  if (count < fewestDigits) return false
  if (groups.length === 1) {
    const isPartOfName = /^[\p{L}_]/u.test(after) && !/^(?:x\d|ext)/i.test(after)
    return !isPartOfName && isPlainPhone(digits)
  }
  if (others.some((group) => group.length === 1)) return false
  if (count > 15 || first.startsWith('0') || text.startsWith('(')) return true
  if (groups.length > 2) return true
  const isYear = /^(?:19|20)\d\d$/.test(first)
  const isIdentifier = /\p{L}[-_]$/u.test(before)
  return !isYear && !isIdentifier && count <= 12
}

/** Digits without separators. Unix times (10 or 13 digits that begin with 1) and dates do not count. */
function isPlainPhone(digits: string): boolean {
  if (/^0[1-9]\d{7,10}$/.test(digits)) return true
  if (/^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])(?:\d{4}|\d{6})$/.test(digits)) return false
  switch (digits.length) {
    case 9:
      return /^[5-9]/.test(digits)
    case 10:
    case 13:
      return /^[2-9]/.test(digits)
    case 11:
    case 12:
      return true
    default:
      return false
  }
}

function withPlainDigits(text: string): string {
  return text.replace(/[^\P{Nd}0-9]/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0
    const zero = zeros.find((start) => code >= start && code < start + 10)
    // A digit of another script: any digit will do, since only the count matters then.
    return zero === undefined ? '5' : String(code - zero)
  })
}
