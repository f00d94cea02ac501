/** @module The adapter's functions written with SQLite's own functions, by name. */
import { joinSql, keyword, type Sql, sql } from '@engine/core/print'
import {
  decimalFit,
  decimalOfUnits,
  decimalOrder,
  decimalProduct,
  decimalSum,
  edge,
  shortDecimal,
} from './decimals.ts'
import { failure } from './failure.ts'

export type Macro = (...args: readonly Sql[]) => Sql

/** The arguments may be written more than once: `expanded` names long ones. */
export const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['int2', (value) => inRange(value, keyword('-32768'), keyword('32767'))],
  ['int4', (value) => inRange(value, keyword('-2147483648'), keyword('2147483647'))],
  // A number that is too large for 64 bits becomes a REAL.
  ['int8', (value) => sql`case when typeof(${value}) = 'real' then ${failure} else ${value} end`],
  [
    'int_div',
    (left, right) =>
      sql`case when ${right} = 0 or (${right} = -1 and ${left} = -9223372036854775807 - 1) then ${failure} else ${left} / ${right} end`,
  ],
  [
    'int_mod',
    (left, right) => sql`case when ${right} = 0 then ${failure} else ${left} % ${right} end`,
  ],
  ['only_row', (count, value) => sql`case when ${count} > 1 then ${failure} else ${value} end`],
  ['not_null', (value) => sql`case when ${value} is null then ${failure} else ${value} end`],
  [
    'limit_count',
    (count, most) =>
      most === undefined
        ? sql`case when ${count} < 0 then ${failure} else ifnull(${count}, -1) end`
        : sql`case when ${count} < 0 then ${failure} else min(ifnull(${count}, ${most}), ${most}) end`,
  ],
  [
    'offset_count',
    (count) => sql`case when ${count} < 0 then ${failure} else ifnull(${count}, 0) end`,
  ],
  ['stored_text', storedText],
  ['stored_bytes', (value) => sql`cast(${value} as blob)`],
  ['bool_text', (value) => sql`case when ${value} then 'true' when not ${value} then 'false' end`],
  ['text_concat', (left, right) => sql`(${left} || ${right})`],
  [
    'moment_value',
    (value) =>
      sql`case when ${value} is null or (${value} glob '[0-9][0-9][0-9][0-9]-[0-9]*' and ${value} not glob '*[A-Za-z]*') then ${value} else ${failure} end`,
  ],
  [
    'text_store',
    (value) =>
      sql`case when ${value} is null or substr(ltrim(${value}), 1, 1) in ('{', '[', '"', 't', 'f', 'n') then ${value} else ${failure} end`,
  ],
  ['too_long', () => failure],
  ['frame_offset', (value) => sql`case when ${value} >= 0 then ${value} else ${failure} end`],
  [
    'text_join',
    (...parts) =>
      sql`(${joinSql(
        parts.map((part) => sql`ifnull(${part}, '')`),
        ' || ',
      )})`,
  ],
  // A nested array must be flattened.
  [
    'array_flat',
    (array) =>
      sql`case when instr(substr(${array}, 2), '[') = 0 then ${array} when ${array} is not null then ${failure} end`,
  ],
  [
    'dec_read',
    (stored, scale) =>
      sql`case when ${stored} is null then null when ${scale} < 0 or length(${stored}) > 16 then ${failure} else printf('%.*f', ${scale}, ${stored}) end`,
  ],
  ['dec_of_units', decimalOfUnits],
  ['dec_fit', decimalFit],
  ['dec_round', (value, places) => decimalFit(value, keyword('15'), places)],
  ['dec_cmp', decimalOrder],
  ['dec_mul', decimalProduct],
  ['dec_add', (left, right) => decimalSum(left, right, keyword('+'))],
  ['dec_sub', (left, right) => decimalSum(left, right, keyword('-'))],
  ['pg_to_json_timestamp', (value) => sql`'"' || replace(${value}, ' ', 'T') || '"'`],
  [
    'pg_to_json_timestamptz',
    (value) => sql`'"' || replace(replace(${value}, ' ', 'T'), '+00', '+00:00') || '"'`,
  ],
  ['dec_store', (value) => sql`cast(${shortDecimal(value)} as numeric)`],
  ['dec_low_edge', (value, scale) => edge(value, scale, '=', '-')],
  ['dec_high_edge', (value, scale) => edge(value, scale, '=', '+')],
  ['dec_ceiling_edge', (value, scale) => edge(value, scale, '>=', '-')],
  ['dec_floor_edge', (value, scale) => edge(value, scale, '<=', '+')],
  ['like_glob', (pattern, mark) => globOf(pattern, mark)],
  // Every text is within the range: the pattern itself decides.
  ['like_low', () => sql`''`],
  ['like_high', () => sql`x''`],
])

/** The text in answers; a failure where SQLite writes a REAL in another way. */
function storedText(value: Sql): Sql {
  const whole = sql`${value} = cast(${value} as integer) and abs(${value}) < 1000000000000000`
  const text = sql`cast(${value} as text)`
  const isPlain = sql`${text} not glob '*[A-Za-z]*' and cast(${text} as real) = ${value}`
  const real = sql`case when ${whole} then cast(cast(${value} as integer) as text) when ${isPlain} then ${text} else ${failure} end`
  return sql`case typeof(${value}) when 'real' then ${real} when 'blob' then '\\x' || lower(hex(${value})) else ${text} end`
}

/** A REAL is a number that did not fit into 64 bits: it is outside of both bounds. */
function inRange(value: Sql, low: Sql, high: Sql): Sql {
  return sql`case when ${value} not between ${low} and ${high} then ${failure} else ${value} end`
}

/** Converts LIKE to GLOB: escaped characters are control characters in between. */
function globOf(pattern: Sql, mark: Sql): Sql {
  const replaced = (text: Sql, from: Sql, to: Sql) => sql`replace(${text}, ${from}, ${to})`
  const kept = [
    [sql`${mark} || ${mark}`, sql`char(1)`, mark],
    [sql`${mark} || '%'`, sql`char(2)`, sql`'%'`],
    [sql`${mark} || '_'`, sql`char(3)`, sql`'_'`],
  ] as const
  let text = pattern
  for (const [protectedText, sign] of kept) text = replaced(text, protectedText, sign)
  text = replaced(text, sql`'['`, sql`'[[]'`)
  text = replaced(text, sql`'*'`, sql`'[*]'`)
  text = replaced(text, sql`'?'`, sql`'[?]'`)
  text = replaced(text, sql`'%'`, sql`'*'`)
  text = replaced(text, sql`'_'`, sql`'?'`)
  for (const [, sign, character] of kept) text = replaced(text, sign, character)
  // A mark that escapes nothing, or another character, is left to databases with the adapter's functions.
  const isPlain = sql`instr(replace(${pattern}, ${mark} || ${mark}, ''), ${mark}) = 0`
  const others = sql`replace(replace(replace(${pattern}, ${mark} || ${mark}, ''), ${mark} || '%', ''), ${mark} || '_', '')`
  return sql`case when ${pattern} is null then null when ${mark} = '' or ${isPlain} or instr(${others}, ${mark}) = 0 then ${text} else ${failure} end`
}
