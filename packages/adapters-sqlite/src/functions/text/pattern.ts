/** @module LIKE and ILIKE, and the regular expressions with the same meaning here and in PostgreSQL. */

import { sqlError } from '../register/sql-error.ts'
import { strict, strictAny, textOf, truth, type UdfDefinition } from '../register/udf.ts'
import { lowerCase } from './letter-case.ts'

/** The most cached patterns. */
const maxPatterns = 500

function remembered(
  make: (...keys: readonly string[]) => RegExp,
): (...keys: readonly string[]) => RegExp {
  const known = new Map<string, RegExp>()
  return (...keys) => {
    const key = keys.join('\0')
    const found = known.get(key)
    if (found !== undefined) return found
    const made = make(...keys)
    if (known.size >= maxPatterns) known.clear()
    known.set(key, made)
    return made
  }
}

/** @param mark the escape, one character, or empty for no escape. */
const likePattern = remembered((pattern = '', mark = '', flags = '') => {
  let source = ''
  const characters = Array.from(pattern)
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i] ?? ''
    if (mark !== '' && character === mark) {
      const literal = characters[++i]
      if (literal === undefined)
        throw sqlError('22025', 'LIKE pattern must not end with escape character')
      source += quoteRegex(literal)
    } else if (character === '%') {
      source += '.*'
    } else if (character === '_') {
      source += '.'
    } else {
      source += quoteRegex(character)
    }
  }
  return new RegExp(`^${source}$`, `su${flags}`)
})

function quoteRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}

function escapeOf(text: string): string {
  if (Array.from(text).length > 1) throw sqlError('22025', 'invalid escape string')
  return text
}

/**
 * Translates an advanced regular expression of PostgreSQL into one of JavaScript. Only constructs with the same meaning in both
 * are accepted: literals, classes, groups, alternation, greedy and lazy quantifiers, anchors, `\d \w \s`.
 *
 * @throws 0A000 for any other construct, 2201B for a pattern that is invalid in both.
 */
const regexPattern = remembered((pattern = '', flags = '') => {
  verifyCommon(pattern)
  try {
    return new RegExp(translateEscapes(pattern), `su${flags}`)
  } catch {
    throw sqlError('2201B', 'invalid regular expression')
  }
})

const unsupported = () =>
  sqlError('0A000', 'this regular expression is not supported on this connection')

/** Members of PostgreSQL's character classes, in the spelling between brackets. */
const classes: Readonly<Record<string, string>> = {
  alpha: '\\p{L}',
  digit: '0-9',
  alnum: '\\p{L}\\p{N}',
  upper: '\\p{Lu}',
  lower: '\\p{Ll}',
  xdigit: '0-9a-fA-F',
  blank: ' \\t',
  space: ' \\t\\n\\v\\f\\r\\u1680\\u2000-\\u2006\\u2008-\\u200a\\u2028\\u2029\\u205f\\u3000',
}

const shorthands: Readonly<Record<string, string>> = {
  d: classes['digit'] ?? '',
  s: classes['space'] ?? '',
  w: `${classes['alnum']}_`,
}

/** Lookaround, back references, word boundaries and directors differ, and the scan below refuses them. */
function verifyCommon(pattern: string): void {
  if (pattern.startsWith('***') || /\(\?(?!:)/.test(pattern)) throw unsupported()
  // In PostgreSQL, mixed greediness is decided for the whole expression.
  const isLazy = /[*+?}]\?/.test(pattern)
  if (isLazy && /[*+?}](?!\?)/.test(pattern.replace(/[*+?}]\?/g, ''))) throw unsupported()
}

/** Escapes and bracket expressions, spelled for JavaScript. */
function translateEscapes(pattern: string): string {
  let result = ''
  let i = 0
  while (i < pattern.length) {
    const character = pattern[i] ?? ''
    if (character === '\\') {
      result += outsideEscape(pattern[i + 1] ?? '')
      i += 2
    } else if (character === '[') {
      const [text, end] = bracket(pattern, i)
      result += text
      i = end
    } else {
      result += character
      i += 1
    }
  }
  return result
}

function outsideEscape(letter: string): string {
  const members = Object.hasOwn(shorthands, letter.toLowerCase())
    ? shorthands[letter.toLowerCase()]
    : undefined
  if (members !== undefined)
    return letter === letter.toLowerCase() ? `[${members}]` : `[^${members}]`
  if (/[nrt]/.test(letter)) return `\\${letter}`
  if (/[a-zA-Z0-9]/.test(letter) || letter === '') throw unsupported()
  return quoteRegex(letter)
}

/** One bracket expression from `start`: its JavaScript text and the index after it. */
function bracket(pattern: string, start: number): readonly [text: string, end: number] {
  let i = start + 1
  let text = '['
  if (pattern[i] === '^') {
    text += '^'
    i += 1
  }
  let isFirst = true
  for (;;) {
    const character = pattern[i]
    if (character === undefined) throw sqlError('2201B', 'invalid regular expression')
    if (character === ']' && !isFirst) return [`${text}]`, i + 1]
    const named = /^\[:([a-z]+):\]/.exec(pattern.slice(i, i + 12))
    if (named !== null) {
      const members = Object.hasOwn(classes, named[1] ?? '') ? classes[named[1] ?? ''] : undefined
      if (members === undefined) throw unsupported()
      text += members
      i += named[0].length
    } else if (character === '[' && /[.=:]/.test(pattern[i + 1] ?? '')) {
      throw unsupported()
    } else if (character === '\\') {
      text += insideEscape(pattern[i + 1] ?? '')
      i += 2
    } else {
      text += /[\]\\^[]/.test(character) ? `\\${character}` : character
      i += 1
    }
    isFirst = false
  }
}

function insideEscape(letter: string): string {
  const members = Object.hasOwn(shorthands, letter) ? shorthands[letter] : undefined
  if (members !== undefined) return members
  if (/[nrt]/.test(letter)) return `\\${letter}`
  if (/[a-zA-Z0-9]/.test(letter) || letter === '') throw unsupported()
  return /[\]\\^[-]/.test(letter) ? `\\${letter}` : letter
}

/** Any match is enough for a test; the matched text differs between the rules of longest and first alternative. */
function forExtraction(pattern: string, flags: string): RegExp {
  if (pattern.includes('|')) throw unsupported()
  return regexPattern(pattern, flags)
}

interface RegexFlags {
  readonly javascript: string
  readonly isGlobal: boolean
}

function flagsOf(flags: string): RegexFlags {
  if (/[^gi]/.test(flags)) throw unsupported()
  return { javascript: flags.includes('i') ? 'i' : '', isGlobal: flags.includes('g') }
}

/** `\1` to `\9` are groups, `\&` the whole match, `\\` a backslash. */
function replaceRegex(text: string, pattern: string, replacement: string, flags: string): string {
  const { javascript, isGlobal } = flagsOf(flags)
  const regex = forExtraction(pattern, javascript + (isGlobal ? 'g' : ''))
  return text.replace(regex, (match: string, ...rest: readonly unknown[]) =>
    replacement.replace(/\\(.)/gs, (whole, character: string) => {
      if (character === '&') return match
      if (/[1-9]/.test(character)) {
        const group = rest[Number(character) - 1]
        return typeof group === 'string' && Number(character) <= groupsOf(rest) ? group : ''
      }
      return character === '\\' ? '\\' : whole
    }),
  )
}

/** The arguments of a replacer are the groups, the offset and the text. */
function groupsOf(rest: readonly unknown[]): number {
  return rest.findIndex((value) => typeof value === 'number')
}

function matchJson(text: string, pattern: string, flags: string): string | null {
  const { javascript, isGlobal } = flagsOf(flags)
  if (isGlobal) throw sqlError('22023', 'regexp_match() does not support the "global" option')
  const match = forExtraction(pattern, javascript).exec(text)
  if (match === null) return null
  const groups = match.length > 1 ? match.slice(1) : [match[0]]
  return JSON.stringify(groups.map((group) => group ?? null))
}

const definitions: readonly UdfDefinition[] = [
  strict('pg_like', 3, (text, pattern, mark) =>
    truth(likePattern(textOf(pattern), escapeOf(textOf(mark)), '').test(textOf(text))),
  ),
  strict('pg_ilike', 3, (text, pattern, mark) =>
    truth(
      likePattern(lowerCase(textOf(pattern)), escapeOf(lowerCase(textOf(mark))), '').test(
        lowerCase(textOf(text)),
      ),
    ),
  ),
  strict('pg_regex', 3, (text, pattern, isCaseInsensitive) =>
    truth(regexPattern(textOf(pattern), isCaseInsensitive === 1n ? 'i' : '').test(textOf(text))),
  ),
  strictAny('pg_regexp_replace', (text, pattern, replacement, flags) =>
    replaceRegex(
      textOf(text),
      textOf(pattern),
      textOf(replacement),
      flags === undefined ? '' : textOf(flags),
    ),
  ),
  strictAny('pg_regexp_match', (text, pattern, flags) =>
    matchJson(textOf(text), textOf(pattern), flags === undefined ? '' : textOf(flags)),
  ),
  strict('pg_regexp_count', 2, (text, pattern) =>
    BigInt(Array.from(textOf(text).matchAll(forExtraction(textOf(pattern), 'g'))).length),
  ),
  strictAny('pg_regexp_like', (text, pattern, flags) => {
    const { javascript } = flagsOf(flags === undefined ? '' : textOf(flags))
    return truth(regexPattern(textOf(pattern), javascript).test(textOf(text)))
  }),
  strict('pg_regexp_substr', 2, (text, pattern) => {
    const match = forExtraction(textOf(pattern), '').exec(textOf(text))
    return match?.[0] ?? null
  }),
  strict('pg_regex_substring', 2, (text, pattern) => {
    const match = forExtraction(textOf(pattern), '').exec(textOf(text))
    return match === null ? null : ((match.length > 1 ? match[1] : match[0]) ?? null)
  }),
  strict('pg_regexp_split_to_array', 2, (text, pattern) => {
    const regex = forExtraction(textOf(pattern), '')
    const parts = textOf(text).split(regex)
    const stride = groupCount(regex) + 1
    // The text of groups is between the pieces.
    const pieces = parts.filter((_, i) => i % stride === 0)
    return JSON.stringify(pieces.length === 0 ? [''] : pieces)
  }),
]

function groupCount({ source, flags }: RegExp): number {
  return (new RegExp(`${source}|`, flags).exec('')?.length ?? 1) - 1
}

export const patternFunctions: readonly UdfDefinition[] = definitions.map((definition) => ({
  ...definition,
  isPattern: true,
}))
