/** @module Replaces literals by parameters, so that texts that differ only in their literals share a plan. */
import { type Oid, oids } from '@engine/core/values'
import { eachToken, type TakeToken } from './sql-tokens.ts'

/** A statement whose literals became parameters: `a = 5 and b = 'x'` → `a = $1 and b = $2`. */
export interface ParameterizedText {
  readonly sql: string
  /** Type of each parameter. 0 for a string: the context decides its type, as for the literal itself. */
  readonly parameterOids: readonly Oid[]
  /** The values of the literals. */
  readonly values: readonly string[]
}

/** Longer texts come from bulk loads. */
const maxLength = 8192
const maxLiterals = 200

const startsPlainly = /^\s*(?:select|insert|update|delete|with)\b/i

/**
 * Replaces a literal only where nothing but its value matters: after a comparison or BETWEEN, numbers in arithmetic, in
 * the lists of IN and VALUES. Elsewhere it may be an ordinal, a precision, a number of rows. Undefined where nothing is
 * replaced.
 */
export function autoParameterize(sql: string): ParameterizedText | undefined {
  if (sql.length > maxLength || !startsPlainly.test(sql)) return undefined
  const rewriter = createRewriter(sql)
  return eachToken(sql, rewriter.take) ? rewriter.parameterized() : undefined
}

/** The kind of token before a token. */
type Place = 'comparison' | 'arithmetic' | 'item' | 'operand' | 'other'

const comparisons: ReadonlySet<string> = new Set(['=', '<', '>', '<=', '>=', '<>', '!='])
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%'])

/** Words that precede an operand. A minus after any other word is a subtraction. */
const openingWords: ReadonlySet<string> = new Set(
  'select where and or not when then else on having by limit offset set returning in distinct all any'.split(
    ' ',
  ),
)
const queryWords: ReadonlySet<string> = new Set(['select', 'with', 'values', 'table'])

function createRewriter(sql: string): {
  readonly take: TakeToken
  readonly parameterized: () => ParameterizedText | undefined
} {
  let text = ''
  /** Length of the client's text that `text` already contains. */
  let copied = 0
  const values: string[] = []
  const parameterOids: Oid[] = []
  let place: Place = 'other'
  /** The place before a sign, while the sign is the previous token. */
  let signed: Place | undefined
  let word = ''
  let isBetween = false
  /** For each open parenthesis: whether it is a list of items. */
  const lists: boolean[] = []
  /** Number of open parentheses at VALUES; -1 outside of it. */
  let valuesDepth = -1

  const addParameter = (value: string, typeOid: Oid, start: number, end: number) => {
    values.push(value)
    parameterOids.push(typeOid)
    text += `${sql.slice(copied, start)}$${values.length}`
    copied = end
  }

  const takeWord = (start: number, end: number) => {
    word = sql.slice(start, end).toLowerCase()
    if (place === 'item' && queryWords.has(word)) lists[lists.length - 1] = false
    if (lists.length === valuesDepth) valuesDepth = -1
    if (word === 'values') valuesDepth = lists.length
    const isBound = word === 'between' || (word === 'and' && isBetween)
    if (isBound) isBetween = word === 'between'
    place = isBound ? 'comparison' : openingWords.has(word) ? 'other' : 'operand'
  }

  const takeString = (start: number, end: number) => {
    if (place === 'comparison' || place === 'item') {
      addParameter(sql.slice(start + 1, end - 1).replaceAll("''", "'"), 0, start, end)
    }
    place = 'operand'
  }

  const takeNumber = (start: number, end: number) => {
    const isSigned = signed !== undefined && sql[start - 1] === '-'
    const before = isSigned ? signed : place
    const isFree = before === 'comparison' || before === 'arithmetic' || before === 'item'
    // -2::int2 is -(2::int2), and so on.
    const isBoundTighter = isSigned && /^\s*[:^[]/.test(sql.slice(end, end + aheadLength))
    const typeOid = isFree && !isBoundTighter ? numberType(sql.slice(start, end)) : undefined
    const from = isSigned ? start - 1 : start
    if (typeOid !== undefined) addParameter(sql.slice(from, end), typeOid, from, end)
    place = 'operand'
  }

  const takeOperator = (start: number, end: number) => {
    const operator = sql.slice(start, end)
    if (operator === '-' && place !== 'operand') {
      signed = place
      place = 'other'
    } else if (comparisons.has(operator)) place = 'comparison'
    else place = arithmetic.has(operator) ? 'arithmetic' : 'other'
  }

  const takeSymbol = (symbol: string | undefined, previousWord: string) => {
    if (symbol === '(') {
      const isList = previousWord === 'in' || lists.length === valuesDepth
      lists.push(isList)
      place = isList ? 'item' : 'other'
    } else if (symbol === ')') {
      lists.pop()
      place = 'operand'
    } else if (symbol === ',') place = lists.at(-1) === true ? 'item' : 'other'
    else place = symbol === ']' || symbol === '"' ? 'operand' : 'other'
  }

  return {
    take: (kind, start, end) => {
      const previousWord = word
      const previousSigned = signed
      word = ''
      if (kind === 'word') takeWord(start, end)
      else if (kind === 'string') takeString(start, end)
      else if (kind === 'number') takeNumber(start, end)
      else if (kind === 'operator') takeOperator(start, end)
      else takeSymbol(sql[start], previousWord)
      if (signed === previousSigned) signed = undefined
    },
    parameterized: () => {
      const { length } = values
      if (length === 0 || length > maxLiterals) return undefined
      return { sql: text + sql.slice(copied), parameterOids, values }
    },
  }
}

/** White space that a look ahead skips. */
const aheadLength = 40

const mostInt4 = 2n ** 31n - 1n
const mostInt8 = 2n ** 63n - 1n

/** The number as PostgreSQL reads it; undefined where it is too long to replace. */
function numberType(text: string): Oid | undefined {
  if (text.length > 40) return undefined
  if (text.includes('.')) return oids.numeric
  if (text.length < 10) return oids.int4
  const value = BigInt(text)
  if (value <= mostInt4) return oids.int4
  return value <= mostInt8 ? oids.int8 : oids.numeric
}
