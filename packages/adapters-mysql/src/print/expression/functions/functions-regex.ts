/** @module Functions that match regular expressions. */

import { oids } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import type { Expression, FunctionCall } from '@engine/core/tree'
import { constantOf, constantText } from '../../constant-text.ts'
import { nullSql, type PrintContext, print, refuse } from '../../print-context.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues } from '../binding/let-binding.ts'
import { matches, regexOf } from '../comparison/print-pattern.ts'
import { countGroups, icuLiteral, icuReplacement } from '../comparison/regex-replacement.ts'
import type { CallPrinters } from './function-printers.ts'

const nothing = nullSql

function flagsOf(expression: Expression | undefined): string | undefined {
  if (expression === undefined) return ''
  const value = expression.kind === 'constant' ? expression.value : undefined
  return typeof value === 'string' && /^[gi]*$/.test(value) ? value : undefined
}

/**
 * `\1` to `\9`, `\&` and `\\` of a constant in the spelling of PCRE's replacement.
 *
 * @param shift number of groups before those of the client; `\&` is the last of them.
 */
function replacementOf(expression: Expression, context: PrintContext, shift: number): Sql {
  const value = constantOf(expression)
  if (value === undefined) {
    return refuse('a replacement that is not constant', expression.position)
  }
  const text = value.replaceAll(/\\(.)|\\$/gs, (_, character: string | undefined) => {
    if (character === undefined) return '\\\\'
    if (character === '&') return `\\${shift}`
    if (/[1-9]/.test(character)) {
      const group = Number(character) + shift
      return group > 9 ? refuse('a replacement with this group', expression.position) : `\\${group}`
    }
    return character === '\\' ? '\\\\' : `\\\\${character}`
  })
  return print({ ...expression, kind: 'constant', value: text, type: textType }, context)
}

const textType = { oid: oids.text, typmod: -1 } as const

/** The number of groups of a pattern; undefined where a group may match the empty text. */
function groupsOf(pattern: string): number | undefined {
  const bare = pattern.replaceAll(/\\./gs, '').replaceAll(/\[\^?\]?[^\]]*\]/g, '')
  if (/\)(?:[*?]|\{0)/.test(bare) || bare.includes('|')) return undefined
  return bare.match(/\((?!\?)/g)?.length ?? 0
}

/** Replaces the first match only, unless the flag g is set. */
function replaceRegex({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [subject, pattern, replacement, flagsArgument] = args
  const flags = flagsOf(flagsArgument)
  if (
    subject === undefined ||
    pattern === undefined ||
    replacement === undefined ||
    flags === undefined
  ) {
    return refuse('regexp_replace with these arguments', position)
  }
  const mode = flags.includes('i') ? 'i' : ''
  if (context.traits.regexEngine === 'icu') {
    const isAll = flags.includes('g')
    return replaceByIcu({ subject, pattern, replacement, mode, isAll, position }, context)
  }
  const text = print(subject, context)
  if (flags.includes('g')) {
    const regex = regexOf(pattern, mode, context, { isExtracted: true })
    return sql`regexp_replace(${text}, ${regex}, ${replacementOf(replacement, context, 0)})`
  }
  const known = constantOf(pattern)
  const groups = known === undefined ? undefined : groupsOf(known)
  if (groups === undefined || groups > 6) {
    return refuse('regexp_replace with such a pattern', position)
  }
  // The match includes the text around it.
  const around = { isExtracted: true, before: '^(.*?)(', after: ')(.*)\\z' }
  const regex = regexOf(pattern, mode, context, around)
  const rest = `\\${groups + 3}`
  return sql`regexp_replace(${text}, ${regex}, concat('\\\\1', ${replacementOf(replacement, context, 2)}, ${constantText(rest)}))`
}

interface Replacing {
  readonly subject: Expression
  readonly pattern: Expression
  readonly replacement: Expression
  readonly mode: '' | 'i'
  readonly isAll: boolean
  readonly position: number | undefined
}

function replaceByIcu(
  { subject, pattern, replacement, mode, isAll, position }: Replacing,
  context: PrintContext,
): Sql {
  const [regex, written] = [constantOf(pattern), constantOf(replacement)]
  if (regex === undefined) return refuse('a pattern that is not constant', position)
  if (written === undefined) return refuse('a replacement that is not constant', position)
  const compiled = regexOf(pattern, mode, context, { isExtracted: true })
  const groups = countGroups(regex)
  const values = [{ value: print(subject, context), kind: 'text' }] as const
  return letValues(values, context, canBind(subject), (text = nothing) => {
    const into = constantText(icuReplacement(written, groups))
    const which = isAll ? sql`` : sql`, 1, 1`
    const replaced = sql`regexp_replace(${text}, ${compiled}, ${into}${which})`
    // The server leaves an empty text as it is, even where the pattern matches it.
    const ofEmpty = constantText(icuLiteral(written))
    return sql`if(${text} = '' and ${text} regexp ${compiled}, ${ofEmpty}, ${replaced})`
  })
}

/** The first group, or without groups the whole match. */
function substringRegex({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [subject, pattern] = args
  const known = constantOf(pattern)
  const groups = known === undefined ? undefined : groupsOf(known)
  if (subject === undefined || pattern === undefined || groups === undefined) {
    return refuse('substring with such a pattern', position)
  }
  const values = [{ value: print(subject, context), kind: 'text' }] as const
  return letValues(values, context, canBind(subject), (name = nothing) => {
    const regex = regexOf(pattern, '', context, { isExtracted: true })
    const around = { isExtracted: true, before: '^.*?(?:', after: ').*\\z' }
    const found =
      groups === 0
        ? sql`regexp_substr(${name}, ${regex})`
        : sql`regexp_replace(${name}, ${regexOf(pattern, '', context, around)}, ${firstGroup[context.traits.regexEngine]})`
    return sql`if(${name} regexp ${regex}, ${found}, null)`
  })
}

const firstGroup = { pcre: sql`'\\\\1'`, icu: sql`'$1'` } as const

/** The number of matches: every match is one character longer than an empty one. */
function countRegex({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [subject, pattern] = args
  if (subject === undefined || pattern === undefined) return refuse('regexp_count', position)
  const values = [{ value: print(subject, context), kind: 'text' }] as const
  return letValues(values, context, canBind(subject), (name = nothing) => {
    const regex = regexOf(pattern, '', context, { isExtracted: true })
    return sql`(char_length(regexp_replace(${name}, ${regex}, 'x')) - char_length(regexp_replace(${name}, ${regex}, '')))`
  })
}

/** Calls that examine the pattern before it is printed. */
export const regexSpecials: Readonly<
  Record<string, (expression: FunctionCall, context: PrintContext) => Sql>
> = {
  'regexp_replace(text,text,text)': replaceRegex,
  'regexp_replace(text,text,text,text)': replaceRegex,
  'substring(text,text)': substringRegex,
  'regexp_count(text,text)': countRegex,
}

export const regexFunctions: CallPrinters = {
  'regexp_like(text,text)': (_, { args, position }, context) => {
    const [subject, pattern] = args
    if (subject === undefined || pattern === undefined) return refuse('regexp_like', position)
    return matches(subject, pattern, '', context)
  },
  'regexp_like(text,text,text)': (_, { args, position }, context) => {
    const [subject, pattern, flags] = args
    const known = flagsOf(flags)
    if (
      subject === undefined ||
      pattern === undefined ||
      known === undefined ||
      known.includes('g')
    ) {
      return refuse('regexp_like with these flags', position)
    }
    return matches(subject, pattern, known === '' ? '' : 'i', context)
  },
}
