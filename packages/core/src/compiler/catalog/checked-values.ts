/** @module Checks that list the only values of a column. */
import type { ListedValue, ListedValues } from './catalog.ts'
import { type CheckDialect, type CheckToken, checkTokens } from './check-tokens.ts'

/** Values by column. A name without quotes may be spelled in another case than the column. */
export type CheckedValues = ReadonlyMap<string, readonly ListedValue[]>

const nothing: CheckedValues = new Map()

/**
 * Values that a condition requires, by column: `status in ('new', 'paid')`, and what a database makes of it:
 * `(status)::text = ANY ((ARRAY['new'::character varying, 'paid'::character varying])::text[])`. AND and OR combine
 * such conditions. Every other condition requires no values.
 */
export function checkedValues(condition: string, dialect: CheckDialect): CheckedValues {
  return valuesIn(checkTokens(condition, dialect))
}

/** Values that the checks of a CREATE TABLE statement require, by column. */
export function valuesOfChecks(createTable: string, dialect: CheckDialect): CheckedValues {
  const tokens = checkTokens(createTable, dialect)
  const conditions = tokens.flatMap((token, index) => {
    if (!isWord(token, 'check') || !isMark(tokens[index + 1], '(')) return []
    const end = endOfGroup(tokens, index + 1)
    return end === undefined ? [] : [tokens.slice(index + 2, end)]
  })
  return everyOf(conditions.map(valuesIn))
}

/** The condition of a check as PostgreSQL describes a constraint: `CHECK ((quantity > 0))`. */
export function valuesOfConstraint(definition: string): CheckedValues {
  return valuesOfChecks(definition, 'postgres')
}

/** The only values of a column, as its checks list them. Names of columns do not depend on case here. */
export function listedByChecks(
  checks: readonly CheckedValues[],
  column: string,
): ListedValues | undefined {
  const wanted = column.toLowerCase()
  for (const check of checks) {
    const found = [...check].find(([name]) => name.toLowerCase() === wanted)
    if (found !== undefined) return { kind: 'one', values: found[1] }
  }
  return undefined
}

function valuesIn(tokens: readonly CheckToken[]): CheckedValues {
  const inner = withoutParentheses(tokens)
  // The AND of BETWEEN and the parts of CASE are not separate conditions.
  const isComplex = topLevel(inner).some((token) =>
    ['between', 'case', 'xor'].some((word) => isWord(token, word)),
  )
  if (isComplex) return nothing
  const alternatives = split(inner, 'or')
  if (alternatives.length > 1) return anyOf(alternatives.map(valuesIn))
  const parts = split(inner, 'and')
  return parts.length > 1 ? everyOf(parts.map(valuesIn)) : comparison(inner)
}

/** All of these are true: the first one that lists values of a column counts. */
function everyOf(all: readonly CheckedValues[]): CheckedValues {
  return new Map(all.toReversed().flatMap((each) => [...each]))
}

/** One of these is true: each must list values of the column. */
function anyOf([first = nothing, ...others]: readonly CheckedValues[]): CheckedValues {
  const common = [...first].filter(([column]) => others.every((other) => other.has(column)))
  return new Map(
    common.map(([column, values]) => {
      const all = [...values, ...others.flatMap((other) => other.get(column) ?? [])]
      return [column, [...new Set(all)]]
    }),
  )
}

/** `status in (...)`, `status = any (array[...])`, `status = 'new'`; `status is null` lists no further value. */
function comparison(tokens: readonly CheckToken[]): CheckedValues {
  const column = columnAt(tokens, 0)
  if (column === undefined) return nothing
  const rest = tokens.slice(column.end)
  const values = listAfter(rest)
  return values === undefined ? nothing : new Map([[column.name, values]])
}

function listAfter(tokens: readonly CheckToken[]): readonly ListedValue[] | undefined {
  const [first, second] = tokens
  if (isWord(first, 'is') && isWord(second, 'null') && tokens.length === 2) return []
  if (isWord(first, 'in')) return literals(parenthesized(tokens.slice(1)))
  if (!isMark(first, '=')) return undefined
  if (!isWord(second, 'any')) return literals(tokens.slice(1))
  const array = withoutCasts(withoutParentheses(parenthesized(tokens.slice(2)) ?? []))
  const [word, bracket] = array
  const isArray = isWord(word, 'array') && isMark(bracket, '[') && isMark(array.at(-1), ']')
  return isArray ? literals(array.slice(2, -1)) : undefined
}

/** A NULL in the list makes every value pass, so such a list is none. */
function literals(tokens: readonly CheckToken[] | undefined): readonly ListedValue[] | undefined {
  if (tokens === undefined) return undefined
  const values = split(tokens, ',').map(literal)
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

/** `'new'`, `-1`, `('new'::character varying)::text` */
function literal(tokens: readonly CheckToken[]): ListedValue | undefined {
  const inner = withoutCasts(tokens)
  const [first, second] = inner
  if (inner.length === 1 && first?.kind === 'text') return first.text
  if (inner.length === 1 && first?.kind === 'number') return Number(first.text)
  return inner.length === 2 && isMark(first, '-') && second?.kind === 'number'
    ? -Number(second.text)
    : undefined
}

interface ColumnAt {
  readonly name: string
  /** Position after it. */
  readonly end: number
}

/** `status`, `(status)::text`. A cast to another type than a text changes what is compared. */
function columnAt(tokens: readonly CheckToken[], at: number): ColumnAt | undefined {
  const token = tokens[at]
  if (isMark(token, '(')) {
    const end = endOfGroup(tokens, at)
    const inner = columnAt(tokens.slice(0, end), at + 1)
    if (end === undefined || inner?.end !== end) return undefined
    return { name: inner.name, end: endOfTextCast(tokens, end + 1) }
  }
  if (token?.kind !== 'word' && token?.kind !== 'name') return undefined
  return { name: token.text, end: endOfTextCast(tokens, at + 1) }
}

function endOfTextCast(tokens: readonly CheckToken[], at: number): number {
  const isCast =
    isMark(tokens[at], ':') && isMark(tokens[at + 1], ':') && isWord(tokens[at + 2], 'text')
  return isCast ? at + 3 : at
}

/** `('a'::text)::character varying(3)` → `'a'`; `(array['a'])::text[]` → `array['a']` */
function withoutCasts(tokens: readonly CheckToken[]): readonly CheckToken[] {
  const inner = withoutParentheses(tokens)
  const [value = inner, ...casts] = split(inner, ':')
  return casts.length === 0 ? inner : withoutCasts(value)
}

/** The tokens between parentheses that enclose everything; undefined where there are none. */
function parenthesized(tokens: readonly CheckToken[]): readonly CheckToken[] | undefined {
  const encloses = isMark(tokens[0], '(') && endOfGroup(tokens, 0) === tokens.length - 1
  return encloses ? tokens.slice(1, -1) : undefined
}

function withoutParentheses(tokens: readonly CheckToken[]): readonly CheckToken[] {
  const inner = parenthesized(tokens)
  return inner === undefined ? tokens : withoutParentheses(inner)
}

/** Position of the mark that closes the one at `from`. */
function endOfGroup(tokens: readonly CheckToken[], from: number): number | undefined {
  let depth = 0
  for (let at = from; at < tokens.length; at += 1) {
    depth += depthChange(tokens[at])
    if (depth === 0) return at
  }
  return undefined
}

function depthChange(token: CheckToken | undefined): number {
  if (isMark(token, '(') || isMark(token, '[')) return 1
  return isMark(token, ')') || isMark(token, ']') ? -1 : 0
}

/** Those outside of all parentheses and brackets. */
function topLevel(tokens: readonly CheckToken[]): readonly CheckToken[] {
  return tokens.filter(outside())
}

/** Predicate for the tokens of a list, one after the other. */
function outside(): (token: CheckToken) => boolean {
  let depth = 0
  return (token) => {
    const before = depth
    depth += depthChange(token)
    return before === 0 && depth === 0
  }
}

/** Parts between the words, or marks, outside of parentheses. */
function split(
  tokens: readonly CheckToken[],
  separator: string,
): readonly (readonly CheckToken[])[] {
  const isOutside = outside()
  const parts: CheckToken[][] = [[]]
  for (const token of tokens) {
    const isSeparator = isOutside(token) && (isWord(token, separator) || isMark(token, separator))
    if (isSeparator) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function isWord(token: CheckToken | undefined, word: string): boolean {
  return token?.kind === 'word' && token.text.toLowerCase() === word
}

function isMark(token: CheckToken | undefined, mark: string): boolean {
  return token?.kind === 'mark' && token.text === mark
}
