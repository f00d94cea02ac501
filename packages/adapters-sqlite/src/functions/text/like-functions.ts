/** @module LIKE patterns as GLOB patterns, and the range of texts that can match one. */
import { nullable, type ScalarFunctions, strict, textOf } from '../register/scalar.ts'
import { sqlError } from '../register/sql-error.ts'

interface Token {
  readonly kind: 'any' | 'one' | 'literal'
  readonly text: string
}

/** `mark` is one character, or empty. */
function tokensOf(pattern: string, mark: string): readonly Token[] {
  const characters = Array.from(pattern)
  const tokens: Token[] = []
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (mark !== '' && character === mark) {
      index += 1
      const text = characters[index]
      if (text === undefined) {
        throw sqlError('22025', 'LIKE pattern must not end with escape character')
      }
      tokens.push({ kind: 'literal', text })
    } else if (character === '%') tokens.push({ kind: 'any', text: '*' })
    else if (character === '_') tokens.push({ kind: 'one', text: '?' })
    else tokens.push({ kind: 'literal', text: character })
  }
  return tokens
}

function globOf(pattern: string, mark: string): string {
  return tokensOf(pattern, mark)
    .map(({ kind, text }) => (kind === 'literal' && /[*?[]/.test(text) ? `[${text}]` : text))
    .join('')
}

/** The common prefix of all matching texts. */
function prefixOf(pattern: string, mark: string): string {
  const tokens = tokensOf(pattern, mark)
  const end = tokens.findIndex(({ kind }) => kind !== 'literal')
  return (end < 0 ? tokens : tokens.slice(0, end)).map(({ text }) => text).join('')
}

/** The least text greater than all that begin with `prefix`; an empty blob, greater than every text, where there is none. */
function aboveAll(prefix: string): string | Uint8Array {
  const characters = Array.from(prefix)
  for (let last = characters.pop(); last !== undefined; last = characters.pop()) {
    const next = following(last.codePointAt(0) ?? 0)
    if (next !== undefined) return characters.join('') + String.fromCodePoint(next)
  }
  return new Uint8Array(0)
}

/** Surrogates are not characters. */
function following(code: number): number | undefined {
  if (code === 0xd7ff) return 0xe000
  return code < 0x10ffff ? code + 1 : undefined
}

/** `LIKE pattern ESCAPE mark` as a pattern with the usual backslash. */
function withBackslashes(pattern: string, mark: string): string {
  if (Array.from(mark).length > 1) throw sqlError('22025', 'invalid escape string')
  return tokensOf(pattern, mark)
    .map(({ kind, text }) => {
      if (kind === 'any') return '%'
      if (kind === 'one') return '_'
      return /[%_\\]/.test(text) ? `\\${text}` : text
    })
    .join('')
}

/**
 * SIMILAR TO as a regular expression: `%` and `_` are wildcards, `|*+?{}()[]` have their meaning in regular expressions, every
 * other character matches itself.
 */
function similarPattern(pattern: string, mark: string): string {
  if (Array.from(mark).length > 1) throw sqlError('22025', 'invalid escape string')
  let [source, isInBracket] = ['', false]
  const characters = Array.from(pattern)
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? ''
    if (mark !== '' && character === mark) {
      index += 1
      const text = characters[index] ?? ''
      // An escaped quote separates the parts of the longer form.
      if (text === '' || /[\w"]/.test(text)) {
        throw sqlError('0A000', 'this SIMILAR TO pattern is not supported on this connection')
      }
      source += `\\${text}`
    } else if (isInBracket) {
      if (character === ']') isInBracket = false
      source += character === '\\' ? '\\\\' : character
    } else if (character === '[') {
      isInBracket = true
      source += character
    } else if (character === '%') source += '.*'
    else if (character === '_') source += '.'
    else if (character === '(') source += '(?:'
    else source += /[\\.^$]/.test(character) ? `\\${character}` : character
  }
  return `^(?:${source})$`
}

export const likeFunctions: ScalarFunctions = {
  like_glob: strict((pattern, mark) => globOf(textOf(pattern), textOf(mark))),
  like_low: strict((pattern, mark) => prefixOf(textOf(pattern), textOf(mark))),
  like_high: strict((pattern, mark) => aboveAll(prefixOf(textOf(pattern), textOf(mark)))),
  similar_pattern: nullable(
    (pattern = null, mark = '\\') =>
      pattern === null || mark === null ? null : similarPattern(textOf(pattern), textOf(mark)),
    -1,
  ),
  like_escape: strict((pattern, mark) => withBackslashes(textOf(pattern), textOf(mark))),
}
