/**
 * @module MD5 as an expression, for MySQL, which has no such function. A recursive query has one row for each of the 64 steps of
 * a block of 64 bytes, and one that adds the block's result to those before it.
 * @see https://www.rfc-editor.org/rfc/rfc1321
 */
import { joinSql, type Sql, sql } from '@engine/core/print'
import { raiseState } from '../../raise.ts'

/** 32 bits. */
const mask = sql`4294967295`

/** The step of a row in its block: 64 is the addition. */
const step = sql`(r.i % 65)`
const round = sql`(${step} div 16)`

/** Which of the block's 16 words a step takes. */
const word = sql`elt(${round} + 1, ${step}, (5 * ${step} + 1) % 16, (3 * ${step} + 5) % 16, 7 * ${step} % 16)`

/** Two hexadecimal digits of that word, from a position: the lowest byte comes first. */
const digits = (position: Sql): Sql =>
  sql`substring(p.h, r.i div 65 * 128 + ${word} * 8 + ${position}, 2)`

const wordValue = sql`conv(concat(${joinSql([sql`7`, sql`5`, sql`3`, sql`1`].map(digits), ', ')}), 16, 10)`

const mixed = sql`case ${round} when 0 then (r.b & r.c) | (~ r.b & r.d) when 1 then (r.d & r.b) | (~ r.d & r.c) when 2 then r.b ^ r.c ^ r.d else r.c ^ (r.b | (~ r.d & ${mask})) end`

const sum = sql`((${mixed}) + r.a + floor(abs(sin(${step} + 1)) * 4294967296) + ${wordValue} & ${mask})`

const distance = sql`cast(elt(${round} * 4 + ${step} % 4 + 1, 7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21) as unsigned)`

const rotated = sql`((${sum} << ${distance}) | (${sum} >> (32 - ${distance})))`

/** A part of the result after a block: `s` is the part before it. */
const added = (before: Sql, part: Sql): Sql => sql`(${before} + ${part} & ${mask})`
const isLast = sql`${step} = 64`

const next = joinSql(
  [
    sql`r.i + 1`,
    sql`if(${isLast}, ${added(sql`r.sa`, sql`r.a`)}, r.d)`,
    sql`if(${isLast}, ${added(sql`r.sb`, sql`r.b`)}, (r.b + ${rotated} & ${mask}))`,
    sql`if(${isLast}, ${added(sql`r.sc`, sql`r.c`)}, r.b)`,
    sql`if(${isLast}, ${added(sql`r.sd`, sql`r.d`)}, r.c)`,
    sql`if(${isLast}, ${added(sql`r.sa`, sql`r.a`)}, r.sa)`,
    sql`if(${isLast}, ${added(sql`r.sb`, sql`r.b`)}, r.sb)`,
    sql`if(${isLast}, ${added(sql`r.sc`, sql`r.c`)}, r.sc)`,
    sql`if(${isLast}, ${added(sql`r.sd`, sql`r.d`)}, r.sd)`,
  ],
  ', ',
)

/** The lowest byte first. */
const shown = (part: Sql): Sql => sql`lower(hex(reverse(unhex(lpad(hex(${part}), 8, '0')))))`
const result = joinSql([sql`r.a`, sql`r.b`, sql`r.c`, sql`r.d`].map(shown), ', ')

const start = sql`1732584193 as a, 4023233417 as b, 2562383102 as c, 271733878 as d, 1732584193 as sa, 4023233417 as sb, 2562383102 as sc, 271733878 as sd`

/** The most bytes: each takes some 20 microseconds. */
const mostBytes = sql`65535`

/** The MD5 of a text or of bytes, in hexadecimal digits; `value` is used several times. 54000 for a long one. */
export function md5Of(value: Sql): Sql {
  const padding = sql`repeat('00', (119 - length(${value}) % 64) % 64)`
  const length = sql`hex(reverse(unhex(lpad(hex(length(${value}) * 8), 16, '0'))))`
  const padded = sql`if(length(${value}) > ${mostBytes}, cast(${raiseState('54000')} as char), concat(hex(${value}), '80', ${padding}, ${length}))`
  const steps = sql`length(p.h) div 128 * 65`
  return sql`(with recursive p as (select ${padded} as h), r as (select 0 as i, ${start} union all select ${next} from r join p on r.i < ${steps}) select concat(${result}) from r join p on r.i = ${steps})`
}
