/** @module Splits a statement's text into tokens, as far as that needs no parser. */

/** A `symbol` is one character, or a quoted name. White space is not a token. */
export type TokenKind = 'word' | 'string' | 'number' | 'operator' | 'symbol'

/** The text of the token is `sql.slice(start, end)`. */
export type TakeToken = (kind: TokenKind, start: number, end: number) => void

/**
 * Calls `take` for each token. Returns false where the tokens are not certain: comments, dollar quotes and parameters,
 * strings with a letter before them or of several parts, unusual numbers, more than one statement.
 */
export function eachToken(sql: string, take: TakeToken): boolean {
  let start = 0
  while (start < sql.length) {
    const code = sql.charCodeAt(start)
    const kind = kindOf(code)
    if (kind === 'space') {
      start += 1
      continue
    }
    const end = kind === 'symbol' && code !== doubleQuote ? start + 1 : endOf(kind, sql, start)
    if (end === 0 || isUnclear(kind, sql, start, end)) return false
    take(kind, start, end)
    start = end
  }
  return true
}

const doubleQuote = 0x22
const quote = 0x27

/** By the code of the first character; characters outside ASCII belong to words. */
const kinds: readonly (TokenKind | 'space')[] = Array.from({ length: 128 }, (_, code) => {
  const character = String.fromCharCode(code)
  if (/\s/.test(character)) return 'space'
  if (/[A-Za-z_]/.test(character)) return 'word'
  if (/\d/.test(character)) return 'number'
  if (character === "'") return 'string'
  return '+-*/<>=~!@#%^&|`?'.includes(character) ? 'operator' : 'symbol'
})

function kindOf(code: number): TokenKind | 'space' {
  return kinds[code] ?? 'word'
}

/** 0 for a quote without an end. */
function endOf(kind: TokenKind, sql: string, start: number): number {
  switch (kind) {
    case 'string':
      return endOfQuoted(sql, start, quote)
    case 'symbol':
      return endOfQuoted(sql, start, doubleQuote)
    case 'word':
      return endOfRun(sql, start, (code) => kindOf(code) === 'word' || kindOf(code) === 'number')
    case 'number':
      return endOfRun(sql, start, (code) => kindOf(code) === 'number' || code === point)
    default:
      return endOfRun(sql, start, (code) => kindOf(code) === kind)
  }
}

const point = 0x2e

function endOfRun(sql: string, start: number, belongs: (code: number) => boolean): number {
  let end = start + 1
  while (end < sql.length && belongs(sql.charCodeAt(end))) end += 1
  return end
}

/** A quote inside is written twice. */
function endOfQuoted(sql: string, start: number, mark: number): number {
  for (let i = start + 1; i < sql.length; i++) {
    if (sql.charCodeAt(i) !== mark) continue
    if (sql.charCodeAt(i + 1) !== mark) return i + 1
    i += 1
  }
  return 0
}

function isUnclear(kind: TokenKind, sql: string, start: number, end: number): boolean {
  switch (kind) {
    case 'string':
      // E'\'' and its like; and 'a' 'b' over two lines is one string.
      return (
        isPartOfWord(sql.charCodeAt(start - 1)) || sql.charCodeAt(nextVisible(sql, end)) === quote
      )
    case 'number':
      return isPartOfWord(sql.charCodeAt(end)) || !/^\d+(?:\.\d+)?$/.test(sql.slice(start, end))
    case 'operator': {
      const text = sql.slice(start, end)
      return text.includes('--') || text.includes('/*')
    }
    case 'symbol':
      return sql[start] === '$' || (sql[start] === ';' && nextVisible(sql, end) < sql.length)
    default:
      return sql.charCodeAt(end) === doubleQuote
  }
}

/** Past the end of the text there is no code, and no word. */
function isPartOfWord(code: number): boolean {
  return kindOf(code) === 'word' && !Number.isNaN(code)
}

function nextVisible(sql: string, from: number): number {
  let at = from
  while (at < sql.length && kindOf(sql.charCodeAt(at)) === 'space') at += 1
  return at
}
