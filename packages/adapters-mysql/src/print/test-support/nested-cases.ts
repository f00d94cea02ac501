/** @module Expressions that can be nested in themselves: `{x}` is the operand, with the type of the whole. */

export interface NestedCase {
  /** The innermost operand. */
  readonly seed: string
  readonly wraps: readonly string[]
  /** The greatest depth in half of a comparison. */
  readonly most?: number
}

/** Over the columns `id`, `a`, `price`, `name`, `nick`, `open` and `data`; `$1` is a numeric, `$2` a text. */
export const nestedCases: Readonly<Record<string, NestedCase>> = {
  integers: {
    seed: 'a',
    wraps: [
      ...[
        '({x} - 1)',
        '({x} / 7)',
        '(7 / {x})',
        '({x} % 7)',
        'mod({x}, 7)',
        'abs({x})',
        '(- {x})',
        '(~ {x})',
      ],
      ...[
        '({x} >> 1)',
        '({x} << 1)',
        '({x} & 7)',
        '({x} # id)',
        'nullif({x}, 5)',
        'nullif(id, {x})',
      ],
      ...[
        'coalesce({x}, 1)',
        'greatest({x}, id)',
        'least({x}, id, a, 5, 6, 7, 8)',
        'num_nulls({x})',
      ],
      ...['(case when {x} > 3 then a else id end)', '(case {x} when 1 then a else id end)'],
      ...[
        '{x}::int2::int',
        '{x}::text::int',
        '{x}::float8::int',
        '{x}::numeric::int',
        '{x}::bool::int',
      ],
      ...["length(repeat('x', {x}))", '(array[1, 2, 3])[{x}]', 'cardinality(array[{x}])'],
      ...['width_bucket({x}::float8, 0, 10, 5)', 'strpos({x}::text, name)', 'ascii(chr({x}))'],
      ...[
        "extract(year from date '2024-01-01' + {x})::int",
        "(date '2024-01-01' - (date '2024-01-01' + {x}))",
      ],
      ...[
        '({x} = any (array[a, id]))::int',
        '(id > any (array[{x}, a]))::int',
        '({x} > all (array[a, id]))::int',
      ],
      ...['({x} in (1, id))::int', '({x} not in (1, id))::int', '({x} is distinct from id)::int'],
      ...['({x} is null)::int'],
      ...[
        '(data ->> {x})::int',
        '(jsonb_build_array(a) -> {x})::int',
        'to_jsonb({x})::int',
        'round(price, {x})::int',
      ],
      ...['(select {x})'],
      ...[
        'array_position(array[1, 2], {x})',
        "split_part(name, 'a', {x})::int",
        'array_length(array[{x}], 1)',
      ],
    ],
  },
  numerics: {
    seed: 'price',
    wraps: [
      ...[
        '({x} + price)',
        '({x} - $1)',
        '({x} * 0.5)',
        '({x} / 7)',
        '({x} / price)',
        '(price / {x})',
        '({x} % 7)',
      ],
      ...[
        'round({x}, 2)',
        'round({x}, a)',
        'trunc({x})',
        'ceil({x})',
        'floor({x})',
        'sign({x})',
        'abs({x})',
        '(- {x})',
      ],
      ...[
        'div({x}, 3)',
        'mod({x}, $1)',
        'nullif({x}, 1)',
        'nullif($1, {x})',
        'coalesce({x}, price)',
        'coalesce({x}, $1)',
      ],
      ...['greatest({x}, price)', 'greatest({x}, $1, 1.50)', 'least({x}, 1.5, 2, 3, 4, 5, 6.00)'],
      ...['(case when {x} > 1 then price else $1 end)', '(case when open then {x} else $1 end)'],
      ...[
        '{x}::numeric(20, 4)',
        '{x}::text::numeric',
        '{x}::float8::numeric',
        'to_jsonb({x})::numeric',
      ],
      ...[
        '({x} / 7 + price)',
        '(({x} + $1) / 3 + 1)',
        '(select {x})',
        'extract(epoch from to_timestamp({x}::float8))',
      ],
      ...[
        '({x} in ($1, 1.5))::int::numeric',
        '({x} is distinct from $1)::int::numeric',
        '(array[{x}])[1]',
      ],
    ],
  },
  subqueries: {
    seed: 'a',
    wraps: [
      '(select max(p.n) from main.part p where p.item_id = {x})',
      '(exists (select from main.part p where p.n = {x}))::int',
    ],
    most: 2,
  },
  floats: {
    seed: 'a::float8',
    wraps: [
      ...[
        '({x} + 1.5::float8)',
        '({x} - a)',
        '({x} * a::float8)',
        '({x} / a::float8)',
        '(- {x})',
        'sqrt({x})',
        'exp({x})',
      ],
      ...[
        'ln({x})',
        'log({x})',
        'power({x}, 2)',
        '({x} ^ 2)',
        'sin({x})',
        'acos({x})',
        'degrees({x})',
        'round({x})',
        'floor({x})',
      ],
      ...[
        '{x}::text::float8',
        '{x}::numeric::float8',
        '{x}::float4::float8',
        'greatest({x}, 1)',
        'nullif({x}, 1)',
      ],
      ...['to_jsonb({x})::float8', 'coalesce({x}, 1)', 'atan2({x}, 1)', '(array[{x}])[1]'],
    ],
  },
  texts: {
    seed: 'name',
    wraps: [
      ...[
        '({x} || nick)',
        '(lower({x}) || nick)',
        'lower({x})',
        'upper({x})',
        'initcap({x})',
        'reverse({x})',
        'md5({x})',
      ],
      ...[
        "replace({x}, 'a', 'b')",
        'replace(name, nick, {x})',
        'substring({x}, 2, 3)',
        'substring({x}, 2)',
        'left({x}, 3)',
      ],
      ...[
        'right({x}, -1)',
        'lpad({x}, 5)',
        "rpad({x}, a, '*')",
        'left(repeat({x}, 2), 9)',
        "split_part({x}, 'a', 1)",
        'split_part(name, {x}, 1)',
      ],
      ...[
        'trim({x})',
        "btrim({x}, 'x')",
        'btrim(name, {x})',
        "translate({x}, 'abc', 'xy')",
        "overlay({x} placing 'x' from 2)",
      ],
      ...[
        'concat({x}, nick)',
        'concat_ws({x}, nick, name)',
        'concat_ws(lower({x}), nick, repeat(name, 5000))',
        'md5(quote_literal({x}))',
        'md5(quote_nullable({x}))',
        "replace(format('%L', {x}), '''', '')",
      ],
      ...[
        "regexp_replace({x}, 'a', 'b')",
        "regexp_replace({x}, 'a', 'b', 'g')",
        "substring({x} from 'a.*')",
        "format('%s-%s', nick, {x})",
      ],
      ...[
        "(case when {x} like 'a%' then name else nick end)",
        '(case when nick like {x} then name else nick end)',
      ],
      ...[
        '(case when nick ilike {x} then name else nick end)',
        '(case when nick = {x} then name else nick end)',
      ],
      ...[
        "(case when nick in ({x}, 'b') then name else nick end)",
        '(case when name ~ {x} then name else nick end)',
      ],
      ...[
        '(case when nick = any (array[{x}, name]) then name else nick end)',
        '(case when starts_with({x}, name) then name end)',
      ],
      ...[
        '(case when starts_with(name, {x}) then name end)',
        '(case when name ^@ {x} then name end)',
        '(case when nick > {x} then name end)',
      ],
      ...[
        '{x}::varchar(5)::text',
        '{x}::char(5)::text',
        'to_json({x})::text',
        "array_to_string(array[{x}, 'x'], ',')",
      ],
      ...[
        "(string_to_array({x}, ','))[1]",
        'coalesce({x}, name)',
        "nullif({x}, 'x')",
        'nullif({x}::char(5), nick::char(5))::text',
        'greatest({x}, name)',
      ],
      ...[
        "({x}::jsonb ->> 'a')",
        '(jsonb_build_object(name, 1) ->> {x})',
        "encode(convert_to({x}, 'utf8'), 'hex')",
        '{x}::uuid::text',
        '{x}::bool::text',
        '{x}::date::text',
      ],
      ...[
        "to_char({x}::timestamp, 'YYYY-MM-DD')",
        '(select {x})',
        '(case when {x} is null then name end)',
        'chr(length({x}))',
      ],
    ],
  },
  truth: {
    seed: 'open',
    wraps: [
      ...[
        '(not {x})',
        '({x} and open)',
        '({x} or open)',
        '({x} = open)',
        '({x} is distinct from open)',
        '({x} is true)',
        '({x} is unknown)',
      ],
      ...[
        '({x} in (true, open))',
        '({x} = any (array[open]))',
        'coalesce({x}, open)',
        '(case when {x} then open end)',
      ],
      ...['{x}::text::bool', 'to_jsonb({x})::bool', 'nullif({x}, open)'],
    ],
  },
  moments: {
    seed: "(timestamp '2024-01-31 10:00:00' + make_interval(days => a))",
    wraps: [
      ...[
        "({x} + interval '1 month 2 days')",
        "({x} - interval '3 hours')",
        '({x} + make_interval(hours => a))',
        '({x} - make_interval(months => id))',
      ],
      ...[
        "(timestamp '2024-01-01' + ({x} - timestamp '2023-01-01'))",
        "({x} + (timestamp '2024-02-01' - timestamp '2024-01-01') * a)",
      ],
      ...[
        "date_trunc('month', {x})",
        "date_trunc('decade', {x})",
        '{x}::date::timestamp',
        '{x}::timestamp(3)',
        '{x}::text::timestamp',
        '({x}::date + 1)::timestamp',
      ],
      ...[
        "({x}::date + interval '1 day')",
        'make_timestamp(extract(year from {x})::int, 1, 1, 0, 0, 0)',
        'make_timestamp(2024, 1, 1, 0, 0, extract(second from {x})::float8)',
      ],
      ...[
        "to_timestamp(to_char({x}, 'YYYY-MM-DD'), 'YYYY-MM-DD')::timestamp",
        'to_timestamp(extract(epoch from {x})::float8)::timestamp',
      ],
      ...[
        "greatest({x}, timestamp '2024-05-01')",
        "nullif({x}, timestamp '2024-05-01')",
        '({x}::date + {x}::time)',
      ],
      ...[
        "(case when ({x}, interval '1 day') overlaps (timestamp '2024-01-01', timestamp '2024-03-01') then timestamp '2024-01-01' end)",
      ],
      ...[
        "(timestamp '2024-01-01' + make_interval(secs => extract(microseconds from {x})::float8))",
        'to_jsonb({x})::text::timestamp',
      ],
    ],
  },
  intervals: {
    seed: "(timestamp '2024-01-31 10:00:00' - make_timestamp(2020, a, 1, 0, 0, 0))",
    wraps: [
      ...[
        "({x} + interval '1 day')",
        '(- {x})',
        '({x} * 2)',
        '({x} - make_interval(days => a))',
        "((timestamp '2024-01-01' + {x}) - timestamp '2023-01-01')",
      ],
      ...[
        'make_interval(hours => extract(hour from {x})::int)',
        'make_interval(days => extract(day from {x})::int, secs => 1.5)',
        'make_interval(days => length({x}::text))',
      ],
    ],
  },
  documents: {
    seed: 'data',
    wraps: [
      ...[
        "({x} -> 'k')",
        '({x} -> 0)',
        '({x} || data)',
        "jsonb_set({x}, '{a}', data)",
        "jsonb_set(data, '{a}', {x})",
        "({x} - 'k')",
        '({x} - 1)',
      ],
      ...[
        "({x} #> '{a,b}')",
        "({x} #- '{a}')",
        "jsonb_build_object('a', {x})",
        'jsonb_build_array({x}, 1)',
        'jsonb_strip_nulls({x})',
      ],
      ...[
        '{x}::text::jsonb',
        'to_jsonb({x})',
        '{x}::json::jsonb',
        '(case when {x} @> data then data end)',
        '(case when data @> {x} then data end)',
      ],
      ...[
        "(case when {x} ? 'a' then data end)",
        "(case when {x} ?| array['a', 'b'] then data end)",
        'nullif({x}, data)',
        'coalesce({x}, data)',
      ],
      ...[
        "jsonb_extract_path({x}, 'a', 'b')",
        'to_jsonb(jsonb_array_length({x}))',
        'to_jsonb(jsonb_typeof({x}))',
        '(case when {x} = data then data end)',
        '(array[{x}])[1]',
      ],
    ],
  },
  arrays: {
    seed: 'array[a, id]',
    wraps: [
      ...[
        '({x} || 1)',
        '({x} || array[a])',
        '(case when {x} @> array[1] then array[a] end)',
        '(case when array[1] <@ {x} then array[a] end)',
      ],
      ...[
        '(case when {x} && array[1] then array[a] end)',
        'nullif({x}, array[1])',
        'coalesce({x}, array[1])',
        '(case when 1 = any ({x}) then array[a] end)',
      ],
      ...[
        '(case when 1 > all ({x}) then array[a] end)',
        'array[cardinality({x})]',
        'array[({x})[1]]',

        '(case when {x} = array[a] then array[a] end)',
      ],
      ...[
        'array[length({x}::text)]',
        "array[length(array_to_string({x}, ','))]",
        'array[array_length({x}, 1)]',
      ],
    ],
  },
}

/** `wrap` around itself, `depth` times. */
export function nest(seed: string, wrap: string, depth: number): string {
  let nested = seed
  for (let level = 0; level < depth; level += 1) nested = wrap.replaceAll('{x}', () => nested)
  return nested
}
