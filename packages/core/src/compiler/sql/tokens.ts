/**
 * The kinds of tokens that matter for measuring nesting. `value` is everything that neither nests nor combines: numbers, strings,
 * quoted names, parameters, dots.
 */
export type TokenKind = 'word' | 'operator' | 'open' | 'close' | 'comma' | 'semicolon' | 'value'

/** Called with `sql.slice(start, end)`; comments and white space are left out. */
export type TokenHandler = (kind: TokenKind, start: number, end: number) => void

/**
 * Splits SQL text as PostgreSQL's own scanner does, without ever failing: strings with their continuation lines, escape strings,
 * dollar quotes, quoted names, nested comments. Text that the parser will refuse may be split in any way.
 *
 * @see PostgreSQL documentation, chapter "Lexical Structure"
 */
export function forEachToken(sql: string, handle: TokenHandler): void {
  let at = 0
  while (at < sql.length) {
    const afterBlank = skipBlank(sql, at)
    if (afterBlank > at) {
      at = afterBlank
      continue
    }
    const kind = kindOf(sql, at)
    const end = endOf(sql, at, kind)
    handle(kind, at, end)
    at = end
  }
}

/**
 * The position of a parameter that a letter follows, as in `$1a`; undefined without one. PostgreSQL refuses it, but the parser of this process
 * reads two tokens.
 */
export function junkAfterParameter(sql: string): number | undefined {
  if (!/\$\d+[A-Za-z_\u0080-\uffff]/.test(sql)) return undefined
  let found: number | undefined
  forEachToken(sql, (kind, start, end) => {
    if (kind !== 'value' || found !== undefined || !isDigit(sql, start + 1)) return
    if (sql.charAt(start) === '$' && isWordStart(sql, end)) found = start
  })
  return found
}

const operatorCharacters = '~!@#^&|`?+-*/%<>=:'

function kindOf(sql: string, at: number): TokenKind {
  const character = sql.charAt(at)
  if (isWordStart(sql, at)) return startsEscapeString(sql, at) ? 'value' : 'word'
  if (character === '(' || character === '[') return 'open'
  if (character === ')' || character === ']') return 'close'
  if (character === ',') return 'comma'
  if (character === ';') return 'semicolon'
  return operatorCharacters.includes(character) ? 'operator' : 'value'
}

function endOf(sql: string, at: number, kind: TokenKind): number {
  if (kind === 'word') return endOfWord(sql, at)
  if (kind !== 'value') return at + 1
  switch (sql.charAt(at)) {
    case "'":
      return endOfString(sql, at, false)
    case 'e':
    case 'E':
      return endOfString(sql, at + 1, true)
    case '"':
      return endOfQuoted(sql, at, '"')
    case '$':
      return endOfDollar(sql, at)
    default:
      return isDigit(sql, at) ? endOfMatch(number, sql, at) : at + 1
  }
}

/** The position after white space and comments. */
function skipBlank(sql: string, from: number): number {
  let at = from
  for (;;) {
    if (isSpace(sql, at)) at += 1
    else if (sql.startsWith('--', at)) at = endOfLine(sql, at)
    else if (sql.startsWith('/*', at)) at = endOfComment(sql, at)
    else return at
  }
}

function endOfLine(sql: string, from: number): number {
  let at = from
  while (at < sql.length && sql.charAt(at) !== '\n' && sql.charAt(at) !== '\r') at += 1
  return at
}

/** Comments nest. */
function endOfComment(sql: string, from: number): number {
  let depth = 0
  let at = from
  while (at < sql.length) {
    if (sql.startsWith('/*', at)) depth += 1
    else if (sql.startsWith('*/', at)) depth -= 1
    else {
      at += 1
      continue
    }
    at += 2
    if (depth === 0) return at
  }
  return at
}

/** `from` is the opening quote. A string continues after white space with a line break: `'a'⏎'b'`. */
function endOfString(sql: string, from: number, hasEscapes: boolean): number {
  let end = endOfStringPart(sql, from, hasEscapes)
  for (;;) {
    const next = continuation(sql, end)
    if (next === undefined) return end
    end = endOfStringPart(sql, next, hasEscapes)
  }
}

function endOfStringPart(sql: string, from: number, hasEscapes: boolean): number {
  if (!hasEscapes) return endOfQuoted(sql, from, "'")
  let at = from + 1
  while (at < sql.length) {
    const character = sql.charAt(at)
    if (character === '\\') at += 2
    else if (character !== "'") at += 1
    else if (sql.charAt(at + 1) === "'") at += 2
    else return at + 1
  }
  return at
}

/**
 * The position of a quote that continues the string that ended at `from`; undefined when none does. Comments end a string here,
 * as in libpg_query: PostgreSQL itself skips them.
 */
function continuation(sql: string, from: number): number | undefined {
  let at = from
  let hasLineBreak = false
  for (;;) {
    const character = sql.charAt(at)
    if (character === '\n' || character === '\r') hasLineBreak = true
    if (!isSpace(sql, at)) return hasLineBreak && character === "'" ? at : undefined
    at += 1
  }
}

/** A doubled quote is one quote character. */
function endOfQuoted(sql: string, from: number, quote: string): number {
  let at = from
  for (;;) {
    const close = sql.indexOf(quote, at + 1)
    if (close < 0) return sql.length
    if (sql.charAt(close + 1) !== quote) return close + 1
    at = close + 1
  }
}

const number = /0[xXoObB][0-9A-Fa-f_]*|[0-9][0-9_]*\.?[0-9_]*(?:[eE][+-]?[0-9_]+)?/y
const parameter = /\$[0-9]+/y
const dollarTag = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y

/** `$1`, or `$tag$ … $tag$`. */
function endOfDollar(sql: string, from: number): number {
  const end = endOfMatch(dollarTag, sql, from)
  if (end === from) return Math.max(from + 1, endOfMatch(parameter, sql, from))
  const tag = sql.slice(from, end)
  const close = sql.indexOf(tag, end)
  return close < 0 ? sql.length : close + tag.length
}

/** The end of the match of a sticky pattern at `from`; `from` when it does not match. */
function endOfMatch(pattern: RegExp, sql: string, from: number): number {
  pattern.lastIndex = from
  return pattern.test(sql) ? pattern.lastIndex : from
}

function startsEscapeString(sql: string, at: number): boolean {
  const character = sql.charAt(at)
  return (character === 'e' || character === 'E') && sql.charAt(at + 1) === "'"
}

function endOfWord(sql: string, from: number): number {
  let at = from + 1
  while (at < sql.length && (isWordStart(sql, at) || isDigit(sql, at) || sql.charAt(at) === '$')) {
    at += 1
  }
  return at
}

function isWordStart(sql: string, at: number): boolean {
  const code = sql.charCodeAt(at)
  return (
    (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a) || code === 0x5f || code > 0x7f
  )
}

function isDigit(sql: string, at: number): boolean {
  const code = sql.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

function isSpace(sql: string, at: number): boolean {
  const code = sql.charCodeAt(at)
  return code === 0x20 || (code >= 0x09 && code <= 0x0d)
}
