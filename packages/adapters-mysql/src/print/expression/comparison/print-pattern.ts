/** @module LIKE, ILIKE, SIMILAR TO and regular expressions. */

import { type PatternPrinters, printPatternOperator, type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall, OperatorCall } from '@engine/core/tree'
import { constantText } from '../../constant-text.ts'
import {
  call,
  classOfType,
  nullSql,
  type PrintContext,
  print,
  refuse,
} from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import type { TypeClass } from '../../type-class.ts'
import { isLong, mostDoubled } from '../binding/let-binding.ts'
import { letExpressions } from '../binding/named-kind.ts'
import { looseColumn } from './loose-column.ts'
import {
  hasOneMatch,
  type RegexEngine,
  similarPattern,
  translateRegex,
  withBackslashes,
} from './regex-pattern.ts'

const printers: PatternPrinters<PrintContext> = {
  like,
  ilike,
  regex: (left, right, context) => matches(left, right, '', context),
  regexInAnyCase: (left, right, context) => matches(left, right, 'i', context),
  startsWith: (left, right, context) =>
    letExpressions(
      [left, right],
      context,
      (text = nullSql, prefix = nullSql) => startsWith(text, prefix),
      mostDoubled,
    ),
}

/** Undefined for an operator that is not a pattern match. */
export function printPattern(
  expression: OperatorCall,
  leftClass: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const isText = leftClass === 'text' || leftClass === 'bpchar'
  return isText ? printPatternOperator(expression, context, printers) : undefined
}

export function startsWith(text: Sql, prefix: Sql): Sql {
  return sql`(left(${text}, char_length(${prefix})) = ${prefix})`
}

/** With a weaker condition where an index of the column can find texts with the same prefix. */
function like(left: Expression, right: Expression, context: PrintContext): Sql {
  const pattern = likePattern(right, context)
  const exact = sql`(${print(left, context)} like ${pattern})`
  const isFiltered = classOfType(left.type, context) === 'text' && !isLong(pattern, mostDoubled)
  const column = isFiltered ? looseColumn(left, context) : undefined
  const isKnown = right.kind === 'call' && constantPattern(right) !== undefined
  const compared = column?.compared(pattern, (isKnown ? right.args[0] : undefined) ?? right)
  return column && compared ? sql`(${column.sql} like ${compared} and ${exact})` : exact
}

function ilike(left: Expression, right: Expression, context: PrintContext): Sql {
  const pattern = likePattern(right, context)
  return sql`(lower(${print(left, context)}) like lower(${pattern}))`
}

/** With backslashes as the escape; the server takes one at the end literally, PostgreSQL raises. */
function likePattern(pattern: Expression, context: PrintContext): Sql {
  const known = constantPattern(pattern)
  if (known !== undefined) {
    return /^(?:[^\\]|\\.)*$/s.test(known) ? constantText(known) : raiseText
  }
  if (pattern.kind === 'call' && pattern.function.name === 'like_escape') {
    return refuse('ESCAPE of a pattern that is not constant', pattern.position)
  }
  return letExpressions(
    [pattern],
    context,
    (text = nullSql) => {
      const backslashes = sql`(char_length(${text}) - char_length(trim(trailing '\\\\' from ${text})))`
      return sql`if(${backslashes} % 2 = 1, ${raiseText}, ${text})`
    },
    mostDoubled,
  )
}

const raiseText: Sql = sql`cast(${raiseState('22025')} as char)`

function textOf(expression: Expression | undefined): string | undefined {
  return expression?.kind === 'constant' && typeof expression.value === 'string'
    ? expression.value
    : undefined
}

/** The binder writes `LIKE p ESCAPE e` as `like_escape(p, e)`. */
function constantPattern(pattern: Expression): string | undefined {
  if (pattern.kind === 'constant') return textOf(pattern)
  if (pattern.kind !== 'call' || pattern.function.name !== 'like_escape') return undefined
  const [text, mark] = pattern.args.map(textOf)
  return text === undefined || mark === undefined ? undefined : withBackslashes(text, mark)
}

/** By engine: patterns that it reads in another way than PostgreSQL, or that need the translation of a constant pattern. */
const strangePatterns: Readonly<Record<RegexEngine, Sql>> = {
  pcre: sql`'[(][?]|^[*]{3}|[[][.=]|[*+?}][+]|[{](?![0-9]+(,[0-9]*)?[}])|[[][^]]*[$]|[[][]]|[[]\\\\^[]]'`,
  icu: sql`'[(][?]|^[*]{3}|\\\\[[.=]|[*+?}][+]|[{](?![0-9]+(,[0-9]*)?[}])|\\\\[(?:\\\\[:[a-z]+:\\\\]|[^\\\\]])*(?:[$&]|\\\\[(?!:))|\\\\[\\\\]|\\\\[\\\\^\\\\]|--|^[^{]*[}]'`,
}

/** `flags`: `i` or nothing. */
export function matches(
  subject: Expression,
  pattern: Expression,
  flags: '' | 'i',
  context: PrintContext,
): Sql {
  const text = print(subject, context)
  // Of a pattern that is known at run time only, the letters cannot be listed in both cases.
  const isLowered = flags === 'i' && !isKnown(pattern) && context.traits.regexEngine === 'icu'
  const regex = regexOf(pattern, flags, context)
  return isLowered ? sql`(lower(${text}) regexp ${regex})` : sql`(${text} regexp ${regex})`
}

function isKnown(pattern: Expression): boolean {
  return pattern.kind === 'constant' || constantSimilar(pattern) !== undefined
}

export interface RegexUse {
  /** The matched text is used, not only whether there is a match. */
  readonly isExtracted?: boolean
  /** Text around the pattern, which must be constant then. */
  readonly before?: string
  readonly after?: string
}

/** The pattern as the server understands it. */
export function regexOf(
  pattern: Expression,
  flags: '' | 'i',
  context: PrintContext,
  { isExtracted = false, before = '', after = '' }: RegexUse = {},
): Sql {
  if (pattern.kind === 'constant' && pattern.value === null) return sql`null`
  const known = textOf(pattern) ?? constantSimilar(pattern)
  const { regexEngine: engine } = context.traits
  const lead = flags === 'i' && engine === 'pcre' ? '(?si)' : '(?s)'
  if (known !== undefined) {
    const translated =
      isExtracted && !hasOneMatch(known)
        ? undefined
        : translateRegex(known, { engine, inAnyCase: flags === 'i' })
    if (translated === undefined) {
      return refuse('a regular expression like this', pattern.position)
    }
    return constantText(`${lead}${before}${translated}${after}`)
  }
  if (isExtracted) return refuse('a pattern that is not constant', pattern.position)
  return letExpressions(
    [pattern],
    context,
    (text = nullSql) => patternAtRunTime(text, flags, engine),
    mostDoubled,
  )
}

function patternAtRunTime(text: Sql, flags: '' | 'i', engine: RegexEngine): Sql {
  const isLowered = flags === 'i' && engine === 'icu'
  const start = flags === 'i' && !isLowered ? sql`'(?si)'` : sql`'(?s)'`
  const ofCase = isLowered ? sql` or ${text} regexp '\\\\[:(upper|lower):'` : sql``
  const isStrange = sql`(${text} regexp ${strangePatterns[engine]} or locate('\\\\', ${text}) > 0${ofCase})`
  const pattern = isLowered ? call('lower', text) : text
  return sql`if(${isStrange}, cast(${raiseState('0A000')} as char), concat(${start}, replace(${pattern}, '$', '\\\\z')))`
}

/** The binder writes `x SIMILAR TO p` as `x ~ similar_to_escape(p)`. */
function constantSimilar(pattern: Expression): string | undefined {
  const isSimilar = pattern.kind === 'call' && pattern.function.name === 'similar_to_escape'
  if (!isSimilar) return undefined
  const { args }: FunctionCall = pattern
  const [text, mark] = args.map(textOf)
  if (text === undefined || (args.length > 1 && mark === undefined)) return undefined
  return similarPattern(text, mark ?? '\\')
}
