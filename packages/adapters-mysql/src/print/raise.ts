/** @module Expressions that report a wrong value: they fail natively, only when evaluated, with an SQLSTATE in the message. */
import { integer, keyword, type Sql, sql } from '@engine/core/print'

/** In the order of their numbers in SQL. */
const states = [
  '22003',
  '22012',
  '22P02',
  '22007',
  '22008',
  '22001',
  '2201B',
  '22023',
  '22026',
  '2202E',
  '0A000',
  '54000',
  '22025',
  '22011',
  '22030',
  '2201E',
  '2201F',
  '22014',
  '22016',
  '22021',
  '54001',
  '21000',
  '23502',
] as const

export type RaisedState = (typeof states)[number]

const firstNumber = 10_000

/**
 * Fails where it is evaluated, and only there. The sum overflows 64 bits, which the server reports as error 1690 with the
 * expression in its message.
 */
export function raiseState(state: RaisedState): Sql {
  return raiseNumber(firstNumber + states.indexOf(state))
}

const greatest = 9_223_372_036_854_775_807n

/**
 * An integer from 0 to `most`, which has at most two digits; SQLSTATE 0A000 for one that is greater: the first sum overflows 64
 * bits exactly then.
 */
export function atMost(value: Sql, most: number): Sql {
  const rest = keyword(`${greatest - BigInt(most)}`)
  return sql`((${rest} + ${value}) - ${rest})`
}

/** In place of a SQLSTATE. */
const checkNumber = 20_000

/** Fails with the check of a permission. */
export function raiseCheckFailure(): Sql {
  return raiseNumber(checkNumber)
}

function raiseNumber(number: number): Sql {
  return sql`(9223372036854775807 + ${integer(number)})`
}

/** The SQLSTATE in the message of error 1690; undefined for an overflow of the server's own. */
export function raisedSqlState(message: string): string | undefined {
  if (/'\(?92233720368547757\d\d \+ /.test(message)) return '0A000'
  const number = raisedNumber(message)
  return number === undefined ? undefined : states[number - firstNumber]
}

/** Is it the message of error 1690 for a failed check? */
export function isCheckFailure(message: string): boolean {
  return raisedNumber(message) === checkNumber
}

function raisedNumber(message: string): number | undefined {
  const number = /9223372036854775807 \+ (\d{5})\b/.exec(message)?.[1]
  return number === undefined ? undefined : Number(number)
}
