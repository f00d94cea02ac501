/**
 * @module SQL for a server where functions of ours do not exist. Calls of some are written in SQLite's own words; a statement
 * that needs another is refused.
 */
import {
  type GatewayError,
  joinSql,
  keyword,
  rewriteSql,
  type Sql,
  sql,
  unsupportedConstruct,
} from '@engine/core'
import { mostRepeated, namedOperandsOf } from '../let-binding.ts'
import { callOf } from '../print-context.ts'
import { createNaming, type Naming } from './name-operands.ts'

/** Fails when it is evaluated: no other expression of SQLite does. */
const failure = sql`abs(-9223372036854775807 - 1)`

type Macro = (...args: readonly Sql[]) => Sql

/** The arguments may be written more than once: `expanded` gives long ones a name. */
const macros: ReadonlyMap<string, Macro> = new Map<string, Macro>([
  ['int2', (value) => inRange(value, keyword('-32768'), keyword('32767'))],
  ['int4', (value) => inRange(value, keyword('-2147483648'), keyword('2147483647'))],
  // What is too large for 64 bits becomes a REAL.
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
  // An array within an array has to be taken apart.
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
  // Every text lies between: the pattern itself decides.
  ['like_low', () => sql`''`],
  ['like_high', () => sql`x''`],
])

/** As it stands in answers; a failure where SQLite writes a REAL in another way. */
function storedText(value: Sql): Sql {
  const whole = sql`${value} = cast(${value} as integer) and abs(${value}) < 1000000000000000`
  const text = sql`cast(${value} as text)`
  const isPlain = sql`${text} not glob '*[A-Za-z]*' and cast(${text} as real) = ${value}`
  const real = sql`case when ${whole} then cast(cast(${value} as integer) as text) when ${isPlain} then ${text} else ${failure} end`
  return sql`case typeof(${value}) when 'real' then ${real} when 'blob' then '\\x' || lower(hex(${value})) else ${text} end`
}

/** A REAL is what had no room in 64 bits: it lies beyond both ends. */
function inRange(value: Sql, low: Sql, high: Sql): Sql {
  return sql`case when ${value} not between ${low} and ${high} then ${failure} else ${value} end`
}

/** The decimal of so many units of 10^-scale, of which there are 16 places at most. */
function decimalOfUnits(units: Sql, scale: Sql): Sql {
  const width = sql`max(length(abs(${units})), ${scale} + 1)`
  const digits = sql`substr('0000000000000000' || abs(${units}), -(${width}))`
  const point = sql`case when ${scale} > 0 then '.' || substr(${digits}, -(${scale})) else '' end`
  return sql`case when ${units} is null then null else case when ${units} < 0 then '-' else '' end || substr(${digits}, 1, ${width} - ${scale}) || ${point} end`
}

/** Rounded to the scale, half away from zero, digit by digit; a failure where it has too many digits. */
function decimalFit(value: Sql, precision: Sql, scale: Sql): Sql {
  const whole = sql`case when instr(v, '.') > 0 then substr(v, 1, instr(v, '.') - 1) else v end`
  const fraction = sql`case when instr(v, '.') > 0 then substr(v, instr(v, '.') + 1) else '' end`
  const cut = sql`cast(replace(w, '-', '') || substr(f || '000000000000000', 1, ${scale}) as integer)`
  const size = sql`${cut} + (substr(f, ${scale} + 1, 1) >= '5')`
  const isKept = sql`${precision} <= 15 and ${scale} >= 0 and length(u) <= ${precision}`
  const units = sql`case when n then -u else u end`
  const read = sql`select ${shortDecimal(value)} as v`
  const parted = sql`select ${whole} as w, ${fraction} as f, v like '-%' as n from (${read})`
  const counted = sql`select n, w is null as z, ${size} as u from (${parted})`
  const checked = sql`select case when z then null when ${isKept} or u = 0 then ${units} else ${failure} end as d from (${counted})`
  return sql`(select ${decimalOfUnits(keyword('d'), scale)} from (${checked}))`
}

/** Exact, as long as the digits of the result have room in an integer. */
function decimalProduct(left: Sql, right: Sql): Sql {
  const units = sql`${unitsOf(keyword('l'))} * ${unitsOf(keyword('r'))}`
  return ofTwoDecimals(
    left,
    right,
    units,
    sql`${placesOf(keyword('l'))} + ${placesOf(keyword('r'))}`,
  )
}

/** The same. */
function decimalSum(left: Sql, right: Sql, sign: Sql): Sql {
  const places = sql`max(${placesOf(keyword('l'))}, ${placesOf(keyword('r'))})`
  const units = sql`${raised(keyword('l'), places)} ${sign} ${raised(keyword('r'), places)}`
  return ofTwoDecimals(left, right, units, places)
}

/** -1, 0 or 1. */
function decimalOrder(left: Sql, right: Sql): Sql {
  const difference = sql`cast(${decimalSum(left, right, keyword('-'))} as real)`
  return sql`(select (d > 0) - (d < 0) from (select ${difference} as d))`
}

/** In units of a scale that is no smaller than its own. */
function raised(decimal: Sql, places: Sql): Sql {
  return sql`${unitsOf(decimal)} * cast('1' || substr('000000000000000', 1, ${places} - ${placesOf(decimal)}) as integer)`
}

/**
 * Each argument is written once, so that statements stay short where operations stand inside one another.
 *
 * @param units and their scale, of the decimals `l` and `r`
 */
function ofTwoDecimals(left: Sql, right: Sql, units: Sql, scale: Sql): Sql {
  const isLong = (text: Sql) => sql`length(${text}) > 16 or ${text} glob '*[A-Za-z]*'`
  const isTooMuch = sql`${isLong(keyword('l'))} or ${isLong(keyword('r'))} or ${scale} > 15`
  // What has no room in an integer becomes a REAL.
  const checked = sql`case when ${isTooMuch} or typeof(${units}) = 'real' then ${failure} else ${units} end`
  const result = sql`select ${checked} as u, ${scale} as s from (select ${left} as l, ${right} as r)`
  return sql`(select ${decimalOfUnits(keyword('u'), keyword('s'))} from (${result}))`
}

function placesOf(decimal: Sql): Sql {
  return sql`case when instr(${decimal}, '.') > 0 then length(${decimal}) - instr(${decimal}, '.') else 0 end`
}

function unitsOf(decimal: Sql): Sql {
  return sql`cast(replace(${decimal}, '.', '') as integer)`
}

/** A decimal as text, of no more digits than a double keeps. */
function shortDecimal(value: Sql): Sql {
  return sql`case when length(${value}) > 16 or ${value} glob '*[A-Za-z]*' then ${failure} else ${value} end`
}

/**
 * The number of the scale that is next to a value, `>=` or `<=` it, half a unit further; for `=` a value that has more digits
 * has none, and lies beyond all numbers.
 */
function edge(value: Sql, scale: Sql, side: '=' | '>=' | '<=', sign: '-' | '+'): Sql {
  const number = sql`cast(${shortDecimal(value)} as real)`
  const near = sql`round(${number}, ${scale})`
  const half = sql`cast('0.5e-' || ${scale} as real)`
  const unit = sql`cast('1e-' || ${scale} as real)`
  const step = sign === '-' ? keyword('-') : keyword('+')
  switch (side) {
    case '=':
      return sql`case when ${near} = ${number} then ${near} ${step} ${half} when ${number} is not null then ${sign === '-' ? keyword('9e999') : keyword('-9e999')} end`
    case '>=':
      return sql`(case when ${near} >= ${number} then ${near} else ${near} + ${unit} end ${step} ${half})`
    case '<=':
      return sql`(case when ${near} <= ${number} then ${near} else ${near} - ${unit} end ${step} ${half})`
  }
}

/** LIKE → GLOB: characters that the mark protects stand as control characters meanwhile. */
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
  // A mark that protects nothing, or another character, is left to databases that have our functions.
  const isPlain = sql`instr(replace(${pattern}, ${mark} || ${mark}, ''), ${mark}) = 0`
  const others = sql`replace(replace(replace(${pattern}, ${mark} || ${mark}, ''), ${mark} || '%', ''), ${mark} || '_', '')`
  return sql`case when ${pattern} is null then null when ${mark} = '' or ${isPlain} or instr(${others}, ${mark}) = 0 then ${text} else ${failure} end`
}

/**
 * The same SQL without functions of ours.
 *
 * @param available the functions of the server, in lower case
 * @param database for the message
 * @throws {GatewayError} `unsupported` for a statement that needs one of ours.
 */
export function withBuiltInFunctions(
  fragment: Sql,
  available: ReadonlySet<string>,
  database: string,
): Sql {
  const inSubquery = createNaming()
  const names = new Map<Sql, Sql>()
  return rewriteSql(fragment, (part, again) => {
    const name = names.get(part)
    if (name !== undefined) return name
    const operands = namedOperandsOf(part)
    if (operands !== undefined) {
      const bind = (...forms: readonly Sql[]) => {
        for (const [index, each] of operands.names.entries()) {
          names.set(each, forms[index] ?? each)
        }
        return again(operands.body)
      }
      const values = operands.values.map(again)
      const isFixed = operands.body.isBoundToLevel || values.some((each) => each.isBoundToLevel)
      return isFixed ? bind(...values) : inSubquery(values, bind)
    }
    const called = callOf(part)
    if (called === undefined) return undefined
    const macro = macros.get(called.name)
    if (macro !== undefined) {
      const args = called.args.map(again)
      if (subqueries.has(called.name) && args.some((each) => each.isBoundToLevel)) {
        throw unsupportedConstruct(
          'numeric values of window functions or count(*)',
          database,
          undefined,
        )
      }
      return expanded(macro, args, inSubquery, subqueries.has(called.name))
    }
    if (!available.has(called.name)) throw missing(called.name, database)
    return undefined
  })
}

/** Macros that put their arguments into a subquery, where a window call or `count(*)` would see other rows. */
const subqueries: ReadonlySet<string> = new Set(
  'dec_fit dec_round dec_mul dec_add dec_sub dec_cmp'.split(' '),
)

/**
 * A long argument that the macro writes several times has a name.
 *
 * @param isDeep the macro is made of subqueries inside each other: nothing long may stand in them
 */
function expanded(macro: Macro, args: readonly Sql[], inSubquery: Naming, isDeep: boolean): Sql {
  const made = sql`(${macro(...args)})`
  // The macro is in the subquery too: none of its arguments may be bound to where it stands.
  if (args.every(({ size }) => size <= mostRepeated) || made.isBoundToLevel) return made
  const isNamed = args.map(
    (each) => each.size > mostRepeated && (isDeep || usesOf(each, made, args) > 1),
  )
  const values = args.filter((_, index) => isNamed[index])
  if (values.length === 0) return made
  return inSubquery(values, (...names) => {
    const left = [...names]
    return macro(...args.map((each, index) => (isNamed[index] ? (left.shift() ?? each) : each)))
  })
}

/** How often an argument stands in what a macro made of it. */
function usesOf(argument: Sql, made: Sql, args: readonly Sql[]): number {
  if (made === argument) return 1
  if (made.size < argument.size || args.includes(made)) return 0
  let uses = 0
  for (const piece of made.pieces) {
    if (typeof piece === 'object' && 'pieces' in piece) uses += usesOf(argument, piece, args)
  }
  return uses
}

/** By what the names of our functions begin with. */
const constructs: readonly (readonly [pattern: RegExp, construct: string])[] = [
  [/^dec_/, 'this use of numeric values'],
  [/^float/, 'this use of floating point numbers'],
  [/^int|^positive_count|^range_offset/, 'this use of integers'],
  [/json/, 'this JSON function'],
  [/regex|^similar/, 'a regular expression'],
  [/like|lower|upper|initcap/, 'upper and lower case, and ILIKE'],
  [
    /date|time|moment|^pg_extract|zone|^pg_ts|interval|^pg_to_char|^pg_age/,
    'this function of dates',
  ],
  [/array|element/, 'this use of arrays'],
]

function missing(name: string, database: string): GatewayError {
  const construct = constructs.find(([pattern]) => pattern.test(name))?.[1] ?? 'this function'
  return unsupportedConstruct(`${construct} (${name})`, database, undefined)
}

/** Words that stand before a parenthesis and are no functions. */
const words: ReadonlySet<string> = new Set(
  `all and any as between by case cast check collate conflict cross cte distinct else end escape except exists
  filter following from full glob group having in indexed inner insert intersect into is join left like limit
  materialized not null nulls offset on or order outer over partition preceding range recursive references
  returning right row rows select set then union update using values when where window with within exclude
  isnull notnull text integer real blob numeric`.split(/\s+/),
)

/**
 * Whatever way a name came into the text: a function that the server does not have is none of those that were rewritten.
 *
 * @throws {GatewayError} `unsupported`
 */
export function requireBuiltIn(
  text: string,
  available: ReadonlySet<string>,
  database: string,
): void {
  const bare = text.replaceAll(/"(?:[^"]|"")*"|'(?:[^']|'')*'/g, ' ')
  for (const [, name = ''] of bare.matchAll(/([a-z_][a-z0-9_]*)\s*\(/gi)) {
    const lower = name.toLowerCase()
    const isAlias = /^[a-z]\d*$/.test(lower)
    if (!isAlias && !words.has(lower) && !available.has(lower)) {
      throw missing(lower, database)
    }
  }
}
