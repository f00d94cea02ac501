/** @module The tokens of conditions in the SQL of PostgreSQL, MySQL and SQLite. */

/** The database whose SQL it is. */
export type CheckDialect = 'postgres' | 'mysql' | 'sqlite'

/** A name without quotes is a `word`; `text` and `name` are without their quotes. Everything else is a `mark` of one character. */
export interface CheckToken {
  readonly kind: 'word' | 'name' | 'text' | 'number' | 'mark'
  readonly text: string
}

const skipped = String.raw`\s+|--[^\n]*|/\*[\s\S]*?(?:\*/|$)`
const plainText = `'(?<text>(?:[^']|'')*)'`
const escapedText = String.raw`'(?<escaped>(?:[^'\\]|''|\\[\s\S])*)'`
const doubleQuoted = `"(?<double>(?:[^"]|"")*)"`
const ticked = '`(?<tick>(?:[^`]|``)*)`'
const bracketed = String.raw`\[(?<bracket>[^\]]*)\]`
const rest = [
  String.raw`(?<word>[\p{L}_][\p{L}\p{N}_$]*)`,
  String.raw`(?<number>\d+(?:\.\d*)?(?:e[+-]?\d+)?|\.\d+)`,
  String.raw`(?<mark>[\s\S])`,
]

const patterns: Readonly<Record<CheckDialect, RegExp>> = {
  // `E'a\\b'`
  postgres: anyOf(`e${escapedText}`, plainText, doubleQuoted),
  // `_utf8mb4'a'`
  mysql: anyOf(String.raw`(?:_[a-z0-9]+\s*)?${escapedText}`, doubleQuoted, ticked),
  sqlite: anyOf(plainText, doubleQuoted, ticked, bracketed),
}

function anyOf(...own: readonly string[]): RegExp {
  return new RegExp([skipped, ...own, ...rest].join('|'), 'giu')
}

/** Splits SQL that a database has accepted. Comments and white space are left out. */
export function checkTokens(sql: string, dialect: CheckDialect): readonly CheckToken[] {
  return [...sql.matchAll(patterns[dialect])].flatMap(({ groups = {} }) => tokenOf(groups) ?? [])
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>): CheckToken | undefined {
  const { text, escaped, double, tick, bracket, word, number, mark } = groups
  if (text !== undefined) return { kind: 'text', text: text.replaceAll("''", "'") }
  if (escaped !== undefined) return { kind: 'text', text: unescaped(escaped) }
  if (double !== undefined) return { kind: 'name', text: double.replaceAll('""', '"') }
  if (tick !== undefined) return { kind: 'name', text: tick.replaceAll('``', '`') }
  if (bracket !== undefined) return { kind: 'name', text: bracket }
  if (word !== undefined) return { kind: 'word', text: word }
  if (number !== undefined) return { kind: 'number', text: number }
  return mark === undefined ? undefined : { kind: 'mark', text: mark }
}

const escapes: Readonly<Record<string, string>> = {
  0: '\0',
  b: '\b',
  n: '\n',
  r: '\r',
  t: '\t',
  Z: '\x1a',
}

function unescaped(text: string): string {
  return text.replaceAll(/''|\\([\s\S])/g, (_, character?: string) =>
    character === undefined ? "'" : (escapes[character] ?? character),
  )
}
