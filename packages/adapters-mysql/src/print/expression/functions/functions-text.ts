/** @module Functions of texts and bytes. */

import { type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import { notTooLong } from '../../bounded-text.ts'
import { constantOf } from '../../constant-text.ts'
import {
  binaryCollation,
  call,
  nullSql,
  type PrintContext,
  print,
  refuse,
} from '../../print-context.ts'
import { raiseState } from '../../raise.ts'
import { volatileCall } from '../../volatile-sql.ts'
import { canBind } from '../binding/can-bind.ts'
import { letValues, mostDoubled } from '../binding/let-binding.ts'
import { startsWith } from '../comparison/print-pattern.ts'
import { jsonTable } from '../json/json-table.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'
import { md5Of } from './md5.ts'

const nothing = nullSql

/** Names the arguments that are used more than once. */
const named =
  (
    kinds: readonly ('text' | 'integer')[],
    body: (...names: readonly Sql[]) => Sql,
    mostPieces?: number,
  ): CallPrinter =>
  (args, expression, context) =>
    letValues(
      args.map((value, index) => ({ value, kind: kinds[index] ?? 'text' })),
      context,
      canBind(expression),
      body,
      mostPieces,
    )

const characters: CallPrinter = (args) => call('char_length', ...args)
const trimmedCharacters: CallPrinter = ([text = nothing]) =>
  sql`char_length(trim(trailing ' ' from ${text}))`
const octets: CallPrinter = (args) => call('length', ...args)

/** Positions before the first character count. */
const substring3 = named(
  ['text', 'integer', 'integer'],
  (text = nothing, start = nothing, count = nothing) => {
    const first = sql`greatest(${start}, 1)`
    return sql`case when ${count} < 0 then ${raiseState('22011')} else substring(${text}, ${first}, greatest(${start} + ${count} - ${first}, 0)) end`
  },
)

const substring2 = named(
  ['text', 'integer'],
  (text = nothing, start = nothing) => sql`substring(${text}, greatest(${start}, 1))`,
)

const left = named(
  ['text', 'integer'],
  (text = nothing, count = nothing) =>
    sql`left(${text}, if(${count} < 0, greatest(char_length(${text}) + ${count}, 0), ${count}))`,
)

const right = named(
  ['text', 'integer'],
  (text = nothing, count = nothing) =>
    sql`right(${text}, if(${count} < 0, greatest(char_length(${text}) + ${count}, 0), ${count}))`,
)

/** Limits the characters that a call may produce; the binder has the same limit for constants. */
const limited = (length: Sql, value: Sql): Sql =>
  sql`case when ${length} > 10000000 then ${raiseState('54000')} else ${value} end`

const pad = (side: 'l' | 'r'): CallPrinter =>
  named(['text', 'integer', 'text'], (text = nothing, length = nothing, fill = sql`' '`) => {
    const size = sql`greatest(${length}, 0)`
    const padded = side === 'l' ? call('lpad', text, size, fill) : call('rpad', text, size, fill)
    const whole = notTooLong(padded, [text, length, fill])
    return limited(size, sql`if(${fill} = '', left(${text}, ${size}), ${whole})`)
  })

const repeat = named(['text', 'integer'], (text = nothing, count = nothing) =>
  limited(
    sql`length(${text}) * greatest(${count}, 0)`,
    notTooLong(sql`repeat(${text}, greatest(${count}, 0))`, [text, count]),
  ),
)

/** Trims a set of characters, not a text. The server needs a regular expression for that. */
const trimSet = (side: 'both' | 'left' | 'right'): CallPrinter =>
  named(['text', 'text'], (text = nothing, set = nothing) => {
    const some = sql`concat('[', replace(replace(replace(replace(replace(${set}, '\\\\', '\\\\\\\\'), ']', '\\\\]'), '[', '\\\\['), '^', '\\\\^'), '-', '\\\\-'), ']+')`
    const leading = sql`'(?s)^', ${some}`
    const trailing = sql`${some}, '\\\\z'`
    const pattern = {
      both: sql`concat(${leading}, '|', ${trailing})`,
      left: sql`concat(${leading})`,
      right: sql`concat('(?s)', ${trailing})`,
    }
    return sql`if(${set} = '', ${text}, regexp_replace(${text}, ${pattern[side]}, ''))`
  })

const trim = (side: 'both' | 'left' | 'right'): CallPrinter => {
  const some = trimSet(side)
  return (args, expression, context) => {
    const [text = nothing, set] = args
    if (set !== undefined) return some(args, expression, context)
    if (side === 'both') return sql`trim(both ' ' from ${text})`
    return side === 'left'
      ? sql`trim(leading ' ' from ${text})`
      : sql`trim(trailing ' ' from ${text})`
  }
}

/** Counts from the end where the number is negative. */
const splitPart = named(
  ['text', 'text', 'integer'],
  (text = nothing, mark = nothing, place = nothing) => {
    const fields = sql`((char_length(${text}) - char_length(replace(${text}, ${mark}, ''))) div char_length(${mark}) + 1)`
    const forward = sql`substring_index(substring_index(${text}, ${mark}, ${place}), ${mark}, -1)`
    const backward = sql`substring_index(substring_index(${text}, ${mark}, ${place}), ${mark}, 1)`
    return sql`case when isnull(${text}) or isnull(${mark}) or isnull(${place}) then null when ${place} = 0 then ${raiseState('22023')} when ${mark} = '' then if(${place} in (1, -1), ${text}, '') when abs(${place}) > ${fields} then '' when ${place} > 0 then ${forward} else ${backward} end`
  },
)

const overlay = (hasCount: boolean): CallPrinter =>
  named(
    ['text', 'text', 'integer', 'integer'],
    (text = nothing, part = nothing, start = nothing, count = nothing) => {
      const length = hasCount ? count : sql`char_length(${part})`
      return sql`case when ${start} < 1 then ${raiseState('22011')} else concat(left(${text}, ${start} - 1), ${part}, substring(${text}, greatest(${start} + ${length}, 1))) end`
    },
  )

const ascii: CallPrinter = ([text = nothing]) => sql`ord(convert(left(${text}, 1) using utf32))`

const chr: CallPrinter = ([code = nothing], expression, context) =>
  letValues(
    [{ value: code, kind: 'integer' }],
    context,
    canBind(expression),
    (name = nothing) =>
      sql`case when ${name} < 0 then ${raiseState('22023')} when ${name} = 0 or ${name} > 1114111 or ${name} between 55296 and 57343 then ${raiseState('54000')} when ${name} is not null then convert(char(${name} using utf32) using utf8mb4) collate ${binaryCollation(context)} end`,
  )

const textOf = (value: Sql, context: PrintContext): Sql =>
  sql`(${value} collate ${binaryCollation(context)})`

/** Replaces every character of `from` by the character at the same position of `to`, or by nothing. */
const translate: CallPrinter = (args, expression, context) =>
  named(['text', 'text', 'text'], (text = nothing, from = nothing, to = nothing) => {
    const character = sql`substring(${text}, j.n, 1)`
    const changed = sql`if(locate(${character}, ${from}) = 0, ${character}, substring(${to}, locate(${character}, ${from}), 1))`
    return sql`if(isnull(${from}) or isnull(${to}), null, ${overCharacters(text, changed, context)})`
  })(args, expression, context)

/** `change` applies to `substring(text, j.n, 1)`. */
function overCharacters(text: Sql, change: Sql, context: PrintContext): Sql {
  const list = sql`concat('[0', repeat(',0', greatest(char_length(${text}) - 1, 0)), ']')`
  const characters = jsonTable(list, sql`n for ordinality`, sql`j`, context)
  return sql`if(isnull(${text}) or ${text} = '', ${text}, coalesce((select group_concat(${change} order by j.n separator '') from ${characters}), ''))`
}

/** Upper case after every character that is not a letter or digit. */
const initcap: CallPrinter = (args, expression, context) =>
  named(['text'], (text = nothing) => {
    const character = sql`substring(${text}, j.n, 1)`
    const isInside = sql`(j.n > 1 and substring(${text}, j.n - 1, 1) regexp '^[[:alnum:]]$')`
    return textOf(
      overCharacters(text, sql`if(${isInside}, lower(${character}), upper(${character}))`, context),
      context,
    )
  })(args, expression, context)

const encodings = sql`lower`

function encode({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [value, format] = args
  const name = format?.kind === 'constant' ? format.value : undefined
  if (value === undefined) return refuse('encode', position)
  switch (name) {
    case 'hex':
      return sql`${encodings}(hex(${print(value, context)}))`
    case 'base64':
      return sql`to_base64(${print(value, context)})`
    default:
      return refuse('encode with this format', position)
  }
}

function toBytes({ args, position }: FunctionCall, context: PrintContext): Sql {
  const [text, encoding] = args
  const name = constantOf(encoding)?.toLowerCase()
  if (text === undefined || (name !== 'utf8' && name !== 'utf-8')) {
    return refuse('convert_to this encoding', position)
  }
  return sql`cast(${print(text, context)} as binary)`
}

const specials: Readonly<Record<string, (expression: FunctionCall, context: PrintContext) => Sql>> =
  {
    'encode(bytea,text)': encode,
    'convert_to(text,name)': toBytes,
  }

/** Where the server has no MD5, the argument is needed several times. */
function md5(kind: 'text' | 'bytes'): CallPrinter {
  return ([value = nothing], expression, context) => {
    if (context.traits.hasMd5) return textOf(call('md5', value), context)
    return letValues([{ value, kind }], context, canBind(expression), (name = nothing) =>
      textOf(md5Of(name), context),
    )
  }
}

export const textSpecials: typeof specials = specials

export const textFunctions: CallPrinters = {
  'length(text)': characters,
  'char_length(text)': characters,
  'character_length(text)': characters,
  'length(bpchar)': trimmedCharacters,
  'char_length(bpchar)': trimmedCharacters,
  'character_length(bpchar)': trimmedCharacters,
  'length(bytea)': octets,
  'octet_length(text)': octets,
  'octet_length(bpchar)': octets,
  'octet_length(bytea)': octets,
  'bit_length(text)': ([text = nothing]) => sql`(length(${text}) * 8)`,
  'bit_length(bytea)': ([text = nothing]) => sql`(length(${text}) * 8)`,
  'lower(text)': (args) => call('lower', ...args),
  'upper(text)': (args) => call('upper', ...args),
  'initcap(text)': initcap,
  'substring(text,int4)': substring2,
  'substring(text,int4,int4)': substring3,
  'substr(text,int4)': substring2,
  'substr(text,int4,int4)': substring3,
  'left(text,int4)': left,
  'right(text,int4)': right,
  'lpad(text,int4)': pad('l'),
  'lpad(text,int4,text)': pad('l'),
  'rpad(text,int4)': pad('r'),
  'rpad(text,int4,text)': pad('r'),
  'repeat(text,int4)': repeat,
  'reverse(text)': (args) => call('reverse', ...args),
  'split_part(text,text,int4)': splitPart,
  'translate(text,text,text)': translate,
  'btrim(text)': trim('both'),
  'btrim(text,text)': trim('both'),
  'ltrim(text)': trim('left'),
  'ltrim(text,text)': trim('left'),
  'rtrim(text)': trim('right'),
  'rtrim(text,text)': trim('right'),
  // The server returns the text unchanged where there is nothing to replace, even with NULL as replacement.
  'replace(text,text,text)': named(
    ['text', 'text', 'text'],
    (text = nothing, from = nothing, to = nothing) =>
      sql`if(isnull(${to}), null, ${notTooLong(call('replace', text, from, to), [text, from])})`,
    mostDoubled,
  ),
  'strpos(text,text)': ([text = nothing, part = nothing]) => call('locate', part, text),
  'position(text,text)': ([text = nothing, part = nothing]) => call('locate', part, text),
  'starts_with(text,text)': named(['text', 'text'], (text = nothing, prefix = nothing) =>
    startsWith(text, prefix),
  ),
  'overlay(text,text,int4)': overlay(false),
  'overlay(text,text,int4,int4)': overlay(true),
  'ascii(text)': ascii,
  'chr(int4)': chr,
  'md5(text)': md5('text'),
  'md5(bytea)': md5('bytes'),
  'sha224(bytea)': ([value = nothing]) => sql`unhex(sha2(${value}, 224))`,
  'sha256(bytea)': ([value = nothing]) => sql`unhex(sha2(${value}, 256))`,
  'sha384(bytea)': ([value = nothing]) => sql`unhex(sha2(${value}, 384))`,
  'sha512(bytea)': ([value = nothing]) => sql`unhex(sha2(${value}, 512))`,
  'quote_literal(text)': named(['text'], (text = nothing) => quotedLiteral(text)),
  'quote_nullable(text)': named(
    ['text'],
    (text = nothing) => sql`coalesce(${quotedLiteral(text)}, 'NULL')`,
  ),
  'text(bool)': ([value = nothing]) => sql`elt(${value} + 1, 'false', 'true')`,
  'text(bpchar)': ([text = nothing]) => sql`trim(trailing ' ' from ${text})`,
  'text(name)': ([text = nothing]) => text,
  'to_hex(int4)': (args) => hexadecimal(args[0] ?? nothing, sql`4294967295`),
  'to_hex(int8)': (args) => sql`lower(hex(${args[0] ?? nothing}))`,
  'gen_random_uuid()': () => randomUuid,
}

function hexadecimal(value: Sql, mask: Sql): Sql {
  return sql`lower(hex(${value} & ${mask}))`
}

/** Version 4; every part is a separate random number. */
const randomUuid = volatileCall(
  sql`lower(concat(hex(random_bytes(4)), '-', hex(random_bytes(2)), '-4', substring(hex(random_bytes(2)), 2), '-', elt(1 + floor(rand() * 4), '8', '9', 'a', 'b'), substring(hex(random_bytes(2)), 2), '-', hex(random_bytes(6))))`,
)

/** As a literal of PostgreSQL. */
export function quotedLiteral(text: Sql): Sql {
  const doubled = sql`replace(replace(${text}, '\\\\', '\\\\\\\\'), '''', '''''')`
  return sql`concat(if(locate('\\\\', ${text}) > 0, 'E', ''), '''', ${doubled}, '''')`
}
