/** @module The text of a double. The server prints the same shortest digits as PostgreSQL, but places the point differently. */
import { type Sql, sql } from '@engine/core/print'
import { nullSql, type PrintContext } from '../../print-context.ts'
import { letValues } from '../binding/let-binding.ts'

/** Exponents up to -5 and from 15 on are written: `1e-05`, `1.5e+15`. */
export function floatText(value: Sql, context: PrintContext, canBeNamed: boolean): Sql {
  const text = { value: sql`cast(${value} as char)`, kind: 'text' } as const
  return letValues([text], context, canBeNamed, (name = nullSql) => {
    const sign = sql`if(${name} like '-%', '-', '')`
    const size = sql`trim(leading '-' from ${name})`
    const mantissa = sql`substring_index(${size}, 'e', 1)`
    const digits = sql`replace(${mantissa}, '.', '')`
    // Digits without zeros before and after them, and the power of ten of the first one.
    const bare = sql`trim(trailing '0' from trim(leading '0' from ${digits}))`
    const ofPoint = sql`(char_length(substring_index(${mantissa}, '.', 1)) - 1 - (char_length(${digits}) - char_length(trim(leading '0' from ${digits}))))`
    const exponent = sql`(if(locate('e', ${name}) = 0, 0, cast(substring_index(${name}, 'e', -1) as signed)) + ${ofPoint})`
    const parts = [
      { value: sign, kind: 'text' },
      { value: bare, kind: 'text' },
      { value: exponent, kind: 'integer' },
    ] as const
    return letValues(
      parts,
      context,
      canBeNamed,
      (minus = nullSql, all = nullSql, power = nullSql) => {
        const scientific = sql`concat(${minus}, left(${all}, 1), if(char_length(${all}) > 1, '.', ''), substring(${all}, 2), 'e', if(${power} < 0, '-', '+'), lpad(abs(${power}), greatest(2, char_length(abs(${power}))), '0'))`
        const small = sql`concat(${minus}, '0.', repeat('0', - ${power} - 1), ${all})`
        const whole = sql`concat(${minus}, rpad(${all}, ${power} + 1, '0'))`
        const mixed = sql`concat(${minus}, left(${all}, ${power} + 1), '.', substring(${all}, ${power} + 2))`
        return sql`case when ${all} = '' then concat(${minus}, '0') when ${power} < -4 or ${power} >= 15 then ${scientific} when ${power} < 0 then ${small} when char_length(${all}) <= ${power} + 1 then ${whole} else ${mixed} end`
      },
    )
  })
}
