/**
 * @module Refuses constants that would make one call produce far too much. For arguments that are not constant the database
 * checks the same limits.
 */
import { GatewayError } from '../../../foundation/errors.ts'
import { located, positioned } from '../../sql/bind-error.ts'
import { oids } from '../../sql-types/oids.ts'
import type { PgFunction } from '../../sql-types/pg-type.ts'
import type { Expression } from '../tree/expression.ts'

/** Rows that a generate_series() of constants may produce. */
const maxRows = 1_000_000
/** Characters that a repeat(), lpad() or rpad() may produce. */
const maxCharacters = 10_000_000
/** Points that a polygon made of a circle may have. */
const maxPoints = 100_000

/** @throws {GatewayError} `limitExceeded` */
export function limitArguments(
  called: PgFunction,
  args: readonly Expression[],
  position: number | undefined,
): void {
  switch (called.name) {
    case 'generate_series':
      if (seriesLength(args) > maxRows) throw tooLarge('generate_series', 'rows', maxRows, position)
      return
    case 'repeat':
      if (repeatedLength(args) > maxCharacters) {
        throw tooLarge('repeat', 'characters', maxCharacters, position)
      }
      return
    case 'lpad':
    case 'rpad':
      if ((numberOf(args[1]) ?? 0) > maxCharacters) {
        throw tooLarge(called.name, 'characters', maxCharacters, position)
      }
      return
    case 'polygon':
      if (args.length === 2 && (numberOf(args[0]) ?? 0) > maxPoints) {
        throw tooLarge('polygon', 'points', maxPoints, position)
      }
      return
    default:
      return
  }
}

function seriesLength(args: readonly Expression[]): number {
  const start = numberOf(args[0])
  const stop = numberOf(args[1])
  const step = args.length < 3 ? 1 : numberOf(args[2])
  if (start === undefined || stop === undefined || step === undefined || step === 0) return 0
  return Math.floor((stop - start) / step) + 1
}

function repeatedLength(args: readonly Expression[]): number {
  const [text, count] = args
  const isConstant = text?.kind === 'constant' && typeof text.value === 'string'
  const length = isConstant ? text.value.length : 1
  return length * (numberOf(count) ?? 0)
}

const numbers: ReadonlySet<number> = new Set([oids.int2, oids.int4, oids.int8, oids.numeric])

/** The approximate value of a numeric constant, which is infinite for a huge one. NaN and the infinities are refused where they are used. */
function numberOf(expression: Expression | undefined): number | undefined {
  if (expression?.kind !== 'constant' || !numbers.has(expression.type.oid)) return undefined
  const { value } = expression
  return typeof value === 'string' && /\d/.test(value) ? Number(value) : undefined
}

function tooLarge(
  name: string,
  unit: string,
  most: number,
  position: number | undefined,
): GatewayError {
  const message = `${name}() is limited to ${most} ${unit}`
  return new GatewayError('limitExceeded', located(message, position), {
    sqlState: '54000',
    ...positioned(position),
  })
}
