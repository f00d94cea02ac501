/** @module Functions of texts and bytes. */

import { oids } from '@engine/core/catalog'
import { type Sql, sql } from '@engine/core/print'
import type { FunctionCall } from '@engine/core/tree'
import { call, classOfType, type PrintContext, refuse } from '../../print-context.ts'
import { comparesNatively } from '../../type-class.ts'
import { elementJson } from '../forms/array-element.ts'
import { elementKind } from '../forms/text-form.ts'
import type { CallPrinter, CallPrinters } from './function-printers.ts'

const nothing = sql`null`

const octets: CallPrinter = (args) => call('octet_length', ...args)

const characters: CallPrinter = (args) => call('length', ...args)

const trimmedCharacters: CallPrinter = ([text = nothing]) => sql`length(rtrim(${text}, ' '))`

/** With one argument it trims blanks, with two the characters of the second: like SQLite's trim. */
const trim: CallPrinter = (args) => call('trim', ...args)

/** Elements are found by their texts: equal numerics with another scale would be missed. */
function elementAt(
  index: number,
  expression: FunctionCall,
  value: Sql,
  context: PrintContext,
): Sql {
  const type = expression.args[index]?.type
  if (type === undefined || !comparesNatively(classOfType(type, context))) {
    return refuse(`${expression.function.name} of this type`, expression.position)
  }
  return elementJson(value, type, context, expression.position)
}

const joinArray: CallPrinter = ([array = nothing, ...rest], expression, context) => {
  const type = expression.args[0]?.type
  const element = context.types.elementTypeOid(type?.oid ?? oids.any)
  if (element === undefined) return refuse('array_to_string of this type', expression.position)
  const kind = elementKind({ oid: element, typmod: -1 }, context, expression.position)
  return call('array_join', array, kind, ...rest)
}

const bytes = (value: Sql): Sql => sql`cast(${value} as blob)`

export const textFunctions: CallPrinters = {
  'length(text)': characters,
  'char_length(text)': characters,
  'character_length(text)': characters,
  'length(bpchar)': trimmedCharacters,
  'char_length(bpchar)': trimmedCharacters,
  'character_length(bpchar)': trimmedCharacters,
  'length(bytea)': characters,
  'octet_length(text)': octets,
  'octet_length(bpchar)': octets,
  'octet_length(bytea)': octets,
  'bit_length(text)': (args) => sql`(octet_length(${args[0] ?? nothing}) * 8)`,
  'bit_length(bytea)': (args) => sql`(octet_length(${args[0] ?? nothing}) * 8)`,
  'lower(text)': (args) => call('pg_lower', ...args),
  'upper(text)': (args) => call('pg_upper', ...args),
  'initcap(text)': (args) => call('pg_initcap', ...args),
  'substring(text,int4)': (args) => call('pg_substring', ...args),
  'substring(text,int4,int4)': (args) => call('pg_substring', ...args),
  'substr(text,int4)': (args) => call('pg_substring', ...args),
  'substr(text,int4,int4)': (args) => call('pg_substring', ...args),
  // The first group of the match, or all of it where there are none.
  'substring(text,text)': (args) => call('pg_regex_substring', ...args),
  'left(text,int4)': (args) => call('pg_left', ...args),
  'right(text,int4)': (args) => call('pg_right', ...args),
  'lpad(text,int4)': (args) => call('pg_lpad', ...args),
  'lpad(text,int4,text)': (args) => call('pg_lpad', ...args),
  'rpad(text,int4)': (args) => call('pg_rpad', ...args),
  'rpad(text,int4,text)': (args) => call('pg_rpad', ...args),
  'repeat(text,int4)': (args) => call('pg_repeat', ...args),
  'reverse(text)': (args) => call('pg_reverse', ...args),
  'split_part(text,text,int4)': (args) => call('pg_split_part', ...args),
  'translate(text,text,text)': (args) => call('pg_translate', ...args),
  'btrim(text)': trim,
  'btrim(text,text)': trim,
  'ltrim(text)': (args) => call('ltrim', ...args),
  'ltrim(text,text)': (args) => call('ltrim', ...args),
  'rtrim(text)': (args) => call('rtrim', ...args),
  'rtrim(text,text)': (args) => call('rtrim', ...args),
  'replace(text,text,text)': (args) => call('pg_replace', ...args),
  'strpos(text,text)': (args) => call('instr', ...args),
  'position(text,text)': (args) => call('instr', ...args),
  'starts_with(text,text)': (args) => call('pg_starts_with', ...args),
  'overlay(text,text,int4)': (args) => call('pg_overlay', ...args),
  'overlay(text,text,int4,int4)': (args) => call('pg_overlay', ...args),
  'ascii(text)': (args) => call('pg_ascii', ...args),
  'chr(int4)': (args) => call('pg_chr', ...args),
  'md5(text)': (args) => call('pg_md5', ...args),
  'md5(bytea)': (args) => call('pg_md5', ...args),
  'sha224(bytea)': (args) => call('pg_sha224', ...args),
  'sha256(bytea)': (args) => call('pg_sha256', ...args),
  'sha384(bytea)': (args) => call('pg_sha384', ...args),
  'sha512(bytea)': (args) => call('pg_sha512', ...args),
  'encode(bytea,text)': (args) => call('pg_encode', ...args),
  'decode(text,text)': (args) => call('pg_decode', ...args),
  'quote_ident(text)': (args) => call('pg_quote_ident', ...args),
  'quote_literal(text)': (args) => call('pg_quote_literal', ...args),
  'quote_nullable(text)': ([text = nothing]) =>
    sql`ifnull(${call('pg_quote_literal', text)}, 'NULL')`,
  'regexp_replace(text,text,text)': (args) => call('pg_regexp_replace', ...args),
  'regexp_replace(text,text,text,text)': (args) => call('pg_regexp_replace', ...args),
  'regexp_match(text,text)': (args) => call('pg_regexp_match', ...args),
  'regexp_match(text,text,text)': (args) => call('pg_regexp_match', ...args),
  'regexp_like(text,text)': (args) => call('pg_regexp_like', ...args),
  'regexp_like(text,text,text)': (args) => call('pg_regexp_like', ...args),
  'similar_to_escape(text)': (args) => call('similar_pattern', ...args),
  'similar_to_escape(text,text)': (args) => call('similar_pattern', ...args),
  'regexp_count(text,text)': (args) => call('pg_regexp_count', ...args),
  'regexp_substr(text,text)': (args) => call('pg_regexp_substr', ...args),
  'regexp_split_to_array(text,text)': (args) => call('pg_regexp_split_to_array', ...args),
  'substring(bytea,int4)': (args) => call('bytes_from', ...args),
  'substring(bytea,int4,int4)': (args) => call('bytes_part', ...args),
  'substr(bytea,int4)': (args) => call('bytes_from', ...args),
  'substr(bytea,int4,int4)': (args) => call('bytes_part', ...args),
  'like_escape(text,text)': (args) => call('like_escape', ...args),
  'text(bool)': (args) => call('bool_text', ...args),
  'text(bpchar)': ([text = nothing]) => sql`rtrim(${text}, ' ')`,
  'text(name)': ([text = nothing]) => text,
  'convert_to(text,name)': ([text = nothing, encoding = nothing]) =>
    sql`iif(${call('is_utf8', encoding)}, ${bytes(text)}, null)`,
  'gen_random_uuid()': () => call('random_uuid'),
  'array_to_string(anyarray,text)': joinArray,
  'array_to_string(anyarray,text,text)': joinArray,
  'string_to_array(text,text)': (args) => call('text_split', ...args),
  'string_to_array(text,text,text)': (args) => call('text_split', ...args),
  array_append: ([array = nothing, element = nothing], expression, context) =>
    call('array_append', array, elementAt(1, expression, element, context)),
  array_prepend: ([element = nothing, array = nothing], expression, context) =>
    call('array_prepend', elementAt(0, expression, element, context), array),
  array_remove: ([array = nothing, element = nothing], expression, context) =>
    call('array_remove', array, elementAt(1, expression, element, context)),
  array_replace: ([array = nothing, from = nothing, to = nothing], expression, context) =>
    call(
      'array_replace',
      array,
      elementAt(1, expression, from, context),
      elementAt(2, expression, to, context),
    ),
  'array_position(anycompatiblearray,anycompatible)': (
    [array = nothing, element = nothing],
    expression,
    context,
  ) => call('array_position', array, elementAt(1, expression, element, context)),
  array_cat: (args) => call('array_concat', ...args),
  'array_length(anyarray,int4)': (args) => call('array_size', ...args),
  'array_upper(anyarray,int4)': (args) => call('array_size', ...args),
  'cardinality(anyarray)': (args) => call('array_count', ...args),
}
