/**
 * @module Operators and functions by the type of their result, as templates: `{int4}` stands for an expression of that
 * type, `{#small}` for one of the constants below. A template that begins with `!` can fail on ordinary values.
 */
import type { TypeName } from './types.ts'

const bool: readonly string[] = [
  '({bool} and {bool})', '({bool} or {bool})', '(not {bool})', '({bool} and {bool} and {bool})',
  '({bool} is true)', '({bool} is not true)', '({bool} is false)', '({bool} is not false)',
  '({bool} is unknown)', '({bool} is not unknown)',
  '({text} like {#pattern})', '({text} not like {#pattern})', '({text} ilike {#pattern})',
  '({text} not ilike {#pattern})', "({text} like {#pattern} escape '!')", '({text} similar to {#similar})',
  '({text} ~ {#regex})', '({text} !~ {#regex})', '({text} ~* {#regex})', '({text} !~* {#regex})',
  '({text} ^@ {text})', 'starts_with({text}, {text})', 'regexp_like({text}, {#regex})',
  '({jsonb} ? {#key})', '({jsonb} @> {jsonb})', '({jsonb} <@ {jsonb})', "({jsonb} ?| array['a', 'b'])",
  "({jsonb} ?& array['a', 'b'])", "({jsonb} @? '$.a')", "jsonb_path_exists({jsonb}, '$.a')",
  '({int4[]} @> {int4[]})', '({int4[]} <@ {int4[]})', '({int4[]} && {int4[]})', '({text[]} && {text[]})',
  'isfinite({date})', 'isfinite({timestamp})', '(({date}, {date}) overlaps ({date}, {date}))',
  '(now() is not null)', "(current_date > date '2020-01-01')", '(current_timestamp <> {timestamptz})',
  '(localtimestamp is null)', '(current_time is not null)', '(localtime is not null)',
  '!({text}::bool)', '({int4}::bool)', '({bool}::text::bool)', "(jsonb_typeof({jsonb}) = 'object')",
  '(({int4}, {text}) = ({int4}, {text}))', '(({int4}, {int4}) < ({int4}, {int4}))',
  '(row({int4}, {date}) <> row({int4}, {date}))', '(row({int4}, {text}) is distinct from row({int4}, {text}))',
  '(row({int4}, {text}) is null)', '(row({int4}, {text}) is not null)',
  '!(1 / {int4} > 0)',
]

const int4: readonly string[] = [
  '({int4} + {int4})', '({int4} - {int4})', '({int4} * {#small})', '!({int4} * {int4})', '!({int4} / {int4})',
  '({int4} / {#some})', '!({int4} % {int4})', '({int4} % {#some})', '(- {int4})', '(+ {int4})', '(@ {int4})',
  'abs({int4})', '({int4} & {int4})', '({int4} | {int4})', '({int4} # {int4})', '(~ {int4})',
  '({int4} << {#small})', '({int4} >> {#small})', '!mod({int4}, {int4})', '!div({int4}, {int4})::int4',
  'gcd({int4}, {int4})', '!lcm({int4}, {int4})', 'length({text})', 'char_length({text})',
  'octet_length({text})', 'bit_length({text})', 'strpos({text}, {text})', 'position({text} in {text})',
  'ascii({text})', '({date} - {date})', 'cardinality({int4[]})', 'array_length({int4[]}, 1)',
  'array_position({int4[]}, {int4})', '({int4[]})[{#some}]', 'array_upper({int4[]}, 1)', 'array_ndims({text[]})',
  '!({text}::int4)', '({bool}::int4)', '({int2}::int4)', '!({int8}::int4)', '!({numeric}::int4)',
  '!({float8}::int4)', '!cast({jsonb} as int4)', "!(({jsonb} ->> 'a')::int4)", '!jsonb_array_length({jsonb})',
  'extract(year from {date})::int4', 'extract(month from {timestamp})::int4', 'extract(dow from {date})::int4',
  'extract(day from {timestamptz})::int4', 'extract(hour from {time})::int4', 'scale({numeric})',
  'num_nulls({int4}, {text})', 'num_nonnulls({text}, {date}, {int4})', 'length({bytea})',
  'regexp_count({text}, {#regex})', 'regexp_instr({text}, {#regex})', 'int4({int2})',
  '!width_bucket({numeric}, 0, 10, {#some})',
]

const int2: readonly string[] = [
  '({int2} + 1::int2)', '({int2} - {int2})', '!({int4}::int2)', '(- {int2})', '({int2} & {int2})', '!({int2} * {int2})',
]

const int8: readonly string[] = [
  '({int8} + {int4})', '({int4} + {int8})', '!({int8} * {int8})', '!({int8} / {int8})', '({int8} / {#some})',
  '({int4}::int8)', '!({numeric}::int8)', '(- {int8})', '!({text}::int8)', '({int8} % {#some})', '({int8} - {int2})',
  'abs({int8})', '({int8} & {int8})', '({int8} << {#small})',
]

const numeric: readonly string[] = [
  '({numeric} + {numeric})', '({numeric} - {numeric})', '({numeric} * {numeric})', '!({numeric} / {numeric})',
  '({numeric} / {#some})', '({numeric} % {#some})', '({int4} * {numeric})', '({numeric} + {int8})', '(- {numeric})',
  '(@ {numeric})', 'abs({numeric})', 'round({numeric}, {#small})', 'round({numeric})', 'trunc({numeric}, {#small})',
  'ceil({numeric})', 'floor({numeric})', 'sign({numeric})', 'trim_scale({numeric})', '!mod({numeric}, {numeric})',
  '!div({numeric}, {numeric})', '({int4}::numeric)', '({int8}::numeric(20,2))', '!({numeric}::numeric(5,2))',
  '!({text}::numeric)', 'extract(epoch from {timestamp})', 'extract(epoch from {interval})', '!sqrt({numeric})',
  '!ln({numeric})', '!power({numeric}, {#small})', 'round({numeric} * 1.5, 1)', "!(({jsonb} ->> 'a')::numeric)",
  '!({jsonb}::numeric)', 'extract(second from {time})',
]

const float8: readonly string[] = [
  '({float8} + {float8})', '({float8} - {float8})', '({float8} * {float8})', '!({float8} / {float8})', '(- {float8})',
  'abs({float8})', '!sqrt({float8})', 'floor({float8})', 'ceil({float8})', 'round({float8})', 'trunc({float8})',
  '({int4}::float8)', '({numeric}::float8)', '!({text}::float8)', 'sign({float8})', '({int4} * {float8})',
  "date_part('day', {timestamp})", '({int8}::float8)', '(@ {float8})', '({int4} ^ {#small})',
]

const text: readonly string[] = [
  '({text} || {text})', '({text} || {int4})', '({bool} || {text})', 'lower({text})', 'upper({text})', 'initcap({text})',
  'length({text})::text', 'trim({text})', 'btrim({text}, {text})', 'ltrim({text})', 'rtrim({text}, {text})',
  'trim(both {text} from {text})', 'trim(leading from {text})', 'left({text}, {int4})', 'right({text}, {#small})',
  'substr({text}, {#small})', '!substring({text} from {#small} for {int4})', 'substring({text} from {#small} for {#small})',
  'substring({text} from {#regex})', 'replace({text}, {text}, {text})', 'reverse({text})', 'repeat({text}, {#small})',
  'lpad({text}, {#small}, {text})', 'rpad({text}, {#small})', 'split_part({text}, {#comma}, {#some})',
  'translate({text}, {text}, {text})', 'concat({text}, {int4}, {bool})', "concat_ws(',', {text}, {int4})",
  'overlay({text} placing {text} from {#some})', 'overlay({text} placing {text} from {#some} for {#small})',
  'md5({text})', 'encode({bytea}, {#encoding})', 'to_hex({int4})', 'chr({int4} % 100 + 300)', '!chr({int4})',
  'regexp_replace({text}, {#regex}, {#replacement})', "regexp_replace({text}, {#regex}, {#replacement}, 'g')",
  'regexp_substr({text}, {#regex})', 'quote_literal({text})', 'quote_ident({text})', "format('%s-%s', {text}, {int4})",
  '({int4}::text)', '({bool}::text)', '({numeric}::text)', '({date}::text)', '({timestamp}::text)', '({uuid}::text)',
  '({float8}::text)', '({interval}::text)', '({jsonb}::text)', '({json}::text)', '({int4[]}::text)', '({bytea}::text)',
  "({jsonb} ->> {#key})", '({jsonb} ->> {#small})', "({json} ->> {#key})", "({jsonb} #>> {#path})",
  "({json} #>> {#path})", 'jsonb_typeof({jsonb})', 'json_typeof({json})', 'array_to_string({text[]}, {#comma})',
  "array_to_string({int4[]}, {#comma}, '*')", '({text[]})[{#some}]', "to_char({date}, 'YYYY-MM-DD')",
  "to_char({timestamp}, 'HH24:MI:SS')", "to_char({int4}, '999')", "to_char({numeric}, 'FM990.00')",
  '({text}::varchar(3))', '({text}::char(4))', 'cast({int8} as varchar)', '({text} collate "C")', 'ascii({text})::text',
  "jsonb_extract_path_text({jsonb}, 'a', 'b')", 'jsonb_pretty({jsonb})', 'concat(variadic {text[]})',
  'quote_nullable({text})', 'array_dims({int4[]})', "(jsonb_build_object('k', {int4}) ->> 'k')",
  'string_to_array({text}, {#comma})::text', 'to_jsonb({text}::text)::text',
]

const uuid: readonly string[] = ['!({text}::uuid)', '({uuid}::text::uuid)']

const date: readonly string[] = [
  '({date} + {#small})', '({date} - {#small})', '({timestamp}::date)', '!({text}::date)', '(date {#date} + {#small})',
  '!make_date({int4}, {#some}, {#some})', 'make_date(2000 + {#small}, {#some}, {#some})', '({timestamptz}::date)',
  "to_date('2024-01-05', 'YYYY-MM-DD')",
]

const time: readonly string[] = [
  '({timestamp}::time)', '({time} + {interval})', 'make_time({#small}, {#some}, 0)', '!({text}::time)', '({time} - {interval})',
]

const timestamp: readonly string[] = [
  '({date} + {interval})', '({timestamp} + {interval})', '({timestamp} - {interval})', 'date_trunc({#unit}, {timestamp})',
  '({date}::timestamp)', '({date} + {time})', '!({text}::timestamp)', "({timestamptz} at time zone 'UTC')",
  'make_timestamp(2000 + {#small}, {#some}, {#some}, {#small}, 0, 0)', "date_bin('15 minutes', {timestamp}, timestamp '2001-01-01')",
]

const timestamptz: readonly string[] = [
  '({timestamptz} + {interval})', 'date_trunc({#unit}, {timestamptz})', "({timestamp} at time zone 'UTC')",
  '({timestamp}::timestamptz)', '!({text}::timestamptz)', 'to_timestamp({#small})',
]

const interval: readonly string[] = [
  '({timestamp} - {timestamp})', '({interval} + {interval})', '({interval} * {#small})', '({interval} / {#some})',
  'make_interval(days => {#small})', 'make_interval(0, {#small}, 0, {#some})', 'justify_days({interval})', '(- {interval})',
  'age({timestamp}, {timestamp})', 'justify_hours({interval})', '!({text}::interval)', '({time} - {time})',
]

const bytea: readonly string[] = [
  '({bytea} || {bytea})', "decode('0aff', 'hex')", '!decode({text}, {#encoding})', 'substring({bytea} from {#some} for {#small})',
  'sha256({bytea})', "convert_to({text}, 'UTF8')",
]

const jsonb: readonly string[] = [
  '({jsonb} -> {#key})', '({jsonb} -> {#small})', '({jsonb} #> {#path})', '!({jsonb} || {jsonb})', '!({jsonb} - {#key})',
  '!({jsonb} #- {#path})', 'to_jsonb({int4})', 'to_jsonb({text}::text)', 'to_jsonb({bool})', "jsonb_build_object('a', {int4}, 'b', {text}::text)",
  'jsonb_build_array({int4}, {text}::text, {bool})', '!jsonb_set({jsonb}, {#path}, {jsonb})', 'jsonb_strip_nulls({jsonb})',
  '!({text}::jsonb)', '({json}::jsonb)', 'to_jsonb({int4[]})', "jsonb_path_query_first({jsonb}, '$.a')", "jsonb_extract_path({jsonb}, 'a')",
  "jsonb_path_query_array({jsonb}, '$[*]')", '!(({jsonb})[{#key}])', 'to_jsonb({numeric})', 'to_jsonb({date})', "!jsonb_insert({jsonb}, '{a}', {jsonb})",
]

const json: readonly string[] = [
  '({json} -> {#key})', '({json} -> {#small})', '({json} #> {#path})', "json_build_object('a', {int4}, 'b', {text}::text)", 'json_build_array({int4}, {bool})',
  'to_json({text}::text)', '!({text}::json)', '({jsonb}::json)', 'array_to_json({int4[]})', "json_build_object('x', json_build_array({int4}), 'y', {jsonb})",
  'json_strip_nulls({json})', 'row_to_json(row({int4}, {text}::text))',
]

const int4Array: readonly string[] = [
  'array[{int4}, {int4}]', '({int4[]} || {int4})', '({int4} || {int4[]})', '({int4[]} || {int4[]})', 'array_append({int4[]}, {int4})',
  'array_remove({int4[]}, {int4})', 'array_cat({int4[]}, {int4[]})', 'array_replace({int4[]}, {int4}, {int4})', 'array_positions({int4[]}, {int4})',
  '(({int4[]})[1:2])', '(({int4[]})[:{#some}])', 'array_prepend({int4}, {int4[]})', '!trim_array({int4[]}, {#small})', 'array[]::int4[]', '!({text}::int4[])',
]

const textArray: readonly string[] = [
  'array[{text}, {text}]::text[]', 'string_to_array({text}, {#comma})', '({text[]} || {text}::text)', 'regexp_split_to_array({text}, {#regex})',
  'regexp_match({text}, {#regex})', '({int4[]}::text[])', "string_to_array({text}, {#comma}, 'a')", 'array_append({text[]}, {text})',
]

export const templates: Readonly<Record<TypeName, readonly string[]>> = {
  bool,
  int2,
  int4,
  int8,
  float8,
  numeric,
  text,
  uuid,
  date,
  time,
  timestamp,
  timestamptz,
  interval,
  bytea,
  json,
  jsonb,
  'int4[]': int4Array,
  'text[]': textArray,
}

/** What `{#name}` stands for. */
export const constants: Readonly<Record<string, readonly string[]>> = {
  small: ['0', '1', '2', '3', '4'],
  some: ['1', '2', '3'],
  pattern: ["'a%'", "'%b%'", "'_'", "'A%'", "'%'", "''", "'%\\%%'", "'a\\_b'", "'Zo_'"],
  similar: ["'(a|b)%'", "'[a-c]+'", "'%o%'"],
  regex: ["'^a'", "'[0-9]+'", "'b$'", "'(a)(b)?'", "'o|x'", "'.'"],
  replacement: ["'x'", "''", "'[\\1]'", "'<\\&>'"],
  key: ["'a'", "'b'", "'c'", "'zz'"],
  path: ["'{a}'", "'{a,b}'", "'{0}'", "'{a,b,0}'"],
  comma: ["','", "' '", "'b'"],
  unit: ["'year'", "'month'", "'day'", "'hour'", "'week'", "'quarter'"],
  encoding: ["'hex'", "'base64'"],
  date: ["'2024-01-31'", "'2023-02-28'"],
}
