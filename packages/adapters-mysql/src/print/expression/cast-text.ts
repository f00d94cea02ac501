/**
 * @module Casts from text. The server reads a valid prefix of a text and warns; PostgreSQL raises. Other spellings that
 * PostgreSQL accepts besides the common one are refused at run time.
 */

import type { Sql } from '@engine/core/print'
import { sql } from '@engine/core/print'
import type { Cast } from '@engine/core/tree'
import { classOfType, nullSql, type PrintContext, print } from '../print-context.ts'
import { raiseState } from '../raise.ts'
import type { TypeClass } from '../type-class.ts'
import { canBind } from './binding/can-bind.ts'
import { letValues } from './binding/let-binding.ts'
import { matchedText } from './comparison/matched-text.ts'
import { checkedInteger } from './decimal/print-number.ts'

/** Undefined where there is no such cast. */
export function castText(
  { operand }: Cast,
  target: TypeClass,
  context: PrintContext,
): Sql | undefined {
  const value =
    classOfType(operand.type, context) === 'bpchar'
      ? sql`trim(trailing ' ' from ${print(operand, context)})`
      : print(operand, context)
  const make = makers[target]
  if (make === undefined) return undefined
  return letValues([{ value, kind: 'text' }], context, canBind(operand), (name = nullSql) =>
    make(name, context),
  )
}

const makers: Partial<Readonly<Record<TypeClass, (text: Sql, context: PrintContext) => Sql>>> = {
  bool: toBool,
  int2: (text, context) => toInteger(text, 'int2', context),
  int4: (text, context) => toInteger(text, 'int4', context),
  int8: (text, context) => toInteger(text, 'int8', context),
  float8: toDouble,
  date: (text) => toMoment(text, datePattern, sql`cast(${text} as date)`),
  timestamp: (text) => toMoment(text, timestampPattern, sql`cast(${text} as datetime(6))`),
  timestamptz: (text) =>
    toMoment(
      text,
      zonedPattern,
      sql`cast(regexp_replace(${text}, '([+]00(:?00)?|Z)$', '') as datetime(6))`,
    ),
  time: (text) => toMoment(text, timePattern, sql`cast(${text} as time(6))`),
  uuid: toUuid,
  bytea: toBytes,
  json: toDocument,
  jsonb: toDocument,
}

const blanks = sql`'^[[:space:]]+|[[:space:]]+$'`

/** Every prefix of the words is accepted. */
function toBool(text: Sql): Sql {
  const word = sql`lower(regexp_replace(${text}, ${blanks}, ''))`
  return sql`case when ${word} in ('t', 'tr', 'tru', 'true', 'y', 'ye', 'yes', 'on', '1') then 1 when ${word} in ('f', 'fa', 'fal', 'fals', 'false', 'n', 'no', 'of', 'off', '0') then 0 when ${text} is not null then ${raiseState('22P02')} end`
}

function toInteger(text: Sql, typeClass: TypeClass, context: PrintContext): Sql {
  const digits = matchedText(sql`regexp_substr(${text}, '[-+]?[0-9]+')`, context)
  const whole = sql`(cast(${digits} as decimal(65, 0)) div 1)`
  return sql`case when not ${text} regexp '^[[:space:]]*[-+]?[0-9]+[[:space:]]*$' then ${raiseState('22P02')} else ${checkedInteger(whole, typeClass)} end`
}

function toDouble(text: Sql): Sql {
  const digits = sql`regexp_replace(${text}, ${blanks}, '')`
  const isNumber = sql`${text} regexp '^[[:space:]]*[-+]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]+)?[[:space:]]*$'`
  const isWord = sql`lower(${digits}) regexp '^[-+]?(nan|inf|infinity)$'`
  const double = sql`cast(${digits} as double)`
  const isOut = sql`(abs(${double}) >= 1.7976931348623157e308 or (${double} = 0 and ${digits} regexp '^[^eE]*[1-9]'))`
  return sql`case when not ${isNumber} then if(${isWord}, ${raiseState('0A000')}, ${raiseState('22P02')}) when ${isOut} then ${raiseState('22003')} else ${double} end`
}

const datePattern = sql`'^[0-9]{4}-[0-9]{2}-[0-9]{2}$'`
const timestampPattern = sql`'^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?)?$'`
const zonedPattern = sql`'^[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?([+]00(:?00)?|Z)?)?$'`
const timePattern = sql`'^[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?$'`

/** A text with digits may be a date in another spelling; a text without digits cannot be one. */
function toMoment(text: Sql, pattern: Sql, read: Sql): Sql {
  const other = sql`if(${text} regexp '[0-9]|^[[:space:]]*(epoch|-?infinity|now|today|tomorrow|yesterday|allballs)', ${raiseState('0A000')}, ${raiseState('22007')})`
  const isEarly = sql`left(${text}, 4) = '0000'`
  const wrong = sql`case when not ${text} regexp ${pattern} then ${other} when isnull(${read}) and ${text} is not null then ${raiseState('22008')} when ${isEarly} and ${text} like '____-%' then ${raiseState('22008')} end`
  // Its type is that of the timestamp: the other branch only fails.
  return sql`if(isnull(${wrong}), ${read}, ${read})`
}

const uuidPattern = {
  pcre: sql`'^([{])?([0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}(?(1)[}])$'`,
  icu: sql`'^([{](?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4}[}]|(?:[0-9a-fA-F]{4}-?){7}[0-9a-fA-F]{4})$'`,
} as const

function toUuid(text: Sql, context: PrintContext): Sql {
  const digits = sql`regexp_replace(regexp_replace(lower(${text}), '^[{]|[}]$', ''), '-', '')`
  const isUuid = sql`${text} regexp ${uuidPattern[context.traits.regexEngine]}`
  const parts = sql`concat(left(${digits}, 8), '-', substring(${digits}, 9, 4), '-', substring(${digits}, 13, 4), '-', substring(${digits}, 17, 4), '-', substring(${digits}, 21))`
  return sql`case when not ${isUuid} then ${raiseState('22P02')} else ${parts} end`
}

/** The hexadecimal form, or a text without backslashes: its bytes. */
function toBytes(text: Sql): Sql {
  const isHexadecimal = sql`${text} regexp '^[\\\\\\\\]x([0-9a-fA-F]{2})*$'`
  const wrong = sql`if(left(${text}, 2) = '\\\\x', ${raiseState('22023')}, ${raiseState('0A000')})`
  return sql`case when locate('\\\\', ${text}) = 0 then cast(${text} as binary) when ${isHexadecimal} then unhex(substring(${text}, 3)) when ${text} is not null then ${wrong} end`
}

function toDocument(text: Sql): Sql {
  return sql`case when json_valid(${text}) = 0 then ${raiseState('22P02')} else ${text} end`
}
