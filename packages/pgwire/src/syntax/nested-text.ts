/** @module Parts of a statement's text, found by its tokens. The text was parsed before, so its form is known. */
import { forEachToken } from '@engine/core/session'

/** `sql.slice(start)` to the end, and the number of characters before it. */
export interface NestedText {
  readonly sql: string
  /** In characters (code points). */
  readonly offset: number
}

/** The text after the first such word outside of parentheses: the query of `PREPARE … AS query`. */
export function textAfterWord(sql: string, word: string): NestedText {
  let depth = 0
  let isNext = false
  let found: number | undefined
  forEachToken(sql, (kind, start, end) => {
    if (isNext) found ??= start
    if (kind === 'open') depth += 1
    else if (kind === 'close') depth -= 1
    else if (kind === 'word' && depth === 0 && sql.slice(start, end).toLowerCase() === word) {
      isNext = true
    }
  })
  return nested(sql, found ?? sql.length, sql.length)
}

/** The text between the first parenthesis and the one that closes it: the query of `COPY (query) TO`. */
export function textInBrackets(sql: string): NestedText {
  const [inside] = bracketParts(sql, false)
  return inside ?? nested(sql, sql.length, sql.length)
}

/** The text in the first parentheses, split at its own commas: the arguments of `EXECUTE name (a, b)`. */
export function listInBrackets(sql: string): readonly string[] {
  return bracketParts(sql, true).map((part) => part.sql)
}

/** The next parentheses in the text, from `start` on: UTF-16 indices of the first one, and of what follows the last. */
export function bracketsFrom(
  sql: string,
  start: number,
): { readonly start: number; readonly end: number } {
  let depth = 0
  let from: number | undefined
  let to: number | undefined
  forEachToken(sql, (kind, at, tokenEnd) => {
    if (at < start || to !== undefined) return
    if (kind === 'open') {
      from ??= at
      depth += 1
    } else if (kind === 'close') {
      depth -= 1
      if (depth === 0) to = tokenEnd
    }
  })
  return { start: from ?? sql.length, end: to ?? sql.length }
}

function bracketParts(sql: string, isList: boolean): readonly NestedText[] {
  const parts: NestedText[] = []
  let depth = 0
  let isOver = false
  let from: number | undefined
  let to = 0
  const end = () => {
    if (from !== undefined) parts.push(nested(sql, from, to))
    from = undefined
  }
  forEachToken(sql, (kind, start, tokenEnd) => {
    if (isOver) return
    if (kind === 'close') depth -= 1
    if (kind === 'close' && depth === 0) {
      end()
      isOver = true
    } else if (isList && kind === 'comma' && depth === 1) {
      end()
    } else if (depth > 0) {
      from ??= start
      to = tokenEnd
    }
    if (kind === 'open') depth += 1
  })
  return parts
}

function nested(sql: string, start: number, end: number): NestedText {
  return { sql: sql.slice(start, end), offset: characterCount(sql.slice(0, start)) }
}

function characterCount(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
