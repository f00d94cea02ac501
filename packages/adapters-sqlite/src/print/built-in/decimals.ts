/** @module Arithmetic on decimals with SQLite's own functions: digits in a 64-bit integer, a failure where they do not fit. */
import { keyword, type Sql, sql } from '@engine/core/print'
import { failure } from './failure.ts'

/** The decimal of `units` × 10^-`scale`, with at most 16 places. */
export function decimalOfUnits(units: Sql, scale: Sql): Sql {
  const width = sql`max(length(abs(${units})), ${scale} + 1)`
  const digits = sql`substr('0000000000000000' || abs(${units}), -(${width}))`
  const point = sql`case when ${scale} > 0 then '.' || substr(${digits}, -(${scale})) else '' end`
  return sql`case when ${units} is null then null else case when ${units} < 0 then '-' else '' end || substr(${digits}, 1, ${width} - ${scale}) || ${point} end`
}

/** Rounded to the scale, half away from zero, digit by digit; a failure where it has too many digits. */
export function decimalFit(value: Sql, precision: Sql, scale: Sql): Sql {
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

/** Exact if the digits of the result fit into an integer. */
export function decimalProduct(left: Sql, right: Sql): Sql {
  const units = sql`${unitsOf(keyword('l'))} * ${unitsOf(keyword('r'))}`
  return ofTwoDecimals(
    left,
    right,
    units,
    sql`${placesOf(keyword('l'))} + ${placesOf(keyword('r'))}`,
  )
}

/** The same. */
export function decimalSum(left: Sql, right: Sql, sign: Sql): Sql {
  const places = sql`max(${placesOf(keyword('l'))}, ${placesOf(keyword('r'))})`
  const units = sql`${raised(keyword('l'), places)} ${sign} ${raised(keyword('r'), places)}`
  return ofTwoDecimals(left, right, units, places)
}

/** -1, 0 or 1. */
export function decimalOrder(left: Sql, right: Sql): Sql {
  const difference = sql`cast(${decimalSum(left, right, keyword('-'))} as real)`
  return sql`(select (d > 0) - (d < 0) from (select ${difference} as d))`
}

/** In units of a scale that is not smaller than its own. */
function raised(decimal: Sql, places: Sql): Sql {
  return sql`${unitsOf(decimal)} * cast('1' || substr('000000000000000', 1, ${places} - ${placesOf(decimal)}) as integer)`
}

/**
 * Each argument is written once, so that nested operations stay short.
 *
 * @param units and their scale, of the decimals `l` and `r`
 */
function ofTwoDecimals(left: Sql, right: Sql, units: Sql, scale: Sql): Sql {
  const isLong = (text: Sql) => sql`length(${text}) > 16 or ${text} glob '*[A-Za-z]*'`
  const isTooMuch = sql`${isLong(keyword('l'))} or ${isLong(keyword('r'))} or ${scale} > 15`
  // A number that does not fit into an integer becomes a REAL.
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

/** A decimal as text, with no more digits than a double keeps. */
export function shortDecimal(value: Sql): Sql {
  return sql`case when length(${value}) > 16 or ${value} glob '*[A-Za-z]*' then ${failure} else ${value} end`
}

/**
 * The number with this scale that is next to a value, `>=` or `<=` it, plus half a unit; for `=`, a value with more digits has
 * none, and gets a number beyond all others.
 */
export function edge(value: Sql, scale: Sql, side: '=' | '>=' | '<=', sign: '-' | '+'): Sql {
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
