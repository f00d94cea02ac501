/** @module Signs, sums and products of numerics. */
import { keyword, type Sql, sql } from '@engine/core/print'
import { call, nullSql, type PrintContext } from '../../print-context.ts'
import {
  type Decimal,
  decimal,
  exact,
  fewScale,
  fits,
  greaterScale,
  lazy,
  scaleSql,
} from './decimal.ts'
import { calculate } from './decimal-operands.ts'

/** The context that the arithmetic of one expression shares. */
export interface Arithmetic {
  readonly context: PrintContext
  /** See `letValues`. */
  readonly canBeNamed: boolean
}

export function negative(of: Decimal, arithmetic: Arithmetic): Decimal {
  return changed(of, arithmetic, (value) => sql`(- ${value})`)
}

export function absolute(of: Decimal, arithmetic: Arithmetic): Decimal {
  return changed(of, arithmetic, (value) => call('abs', value))
}

/** Another value with the same scale. */
function changed(of: Decimal, arithmetic: Arithmetic, change: (value: Sql) => Sql): Decimal {
  const { narrow } = of
  const whole = calculation([of], arithmetic, (one) =>
    decimal(() => change(one.value()), one.scale, one.digits, one.maxScale),
  )
  return narrow === undefined
    ? whole
    : { ...whole, narrow: lazy(() => changed(narrow(), arithmetic, change)) }
}

export function sumOf(
  symbol: '+' | '-',
  left: Decimal,
  right: Decimal,
  arithmetic: Arithmetic,
): Decimal {
  return exactly(left, right, arithmetic, (one, other) =>
    decimal(
      () => sql`(${one.value()} ${keyword(symbol)} ${other.value()})`,
      greaterScale(one.scale, other.scale),
      Math.max(one.digits, other.digits) + 1,
      Math.max(one.maxScale, other.maxScale),
    ),
  )
}

export function productOf(left: Decimal, right: Decimal, arithmetic: Arithmetic): Decimal {
  const { mostScale } = arithmetic.context.traits
  const [a, b] = fittingScales(left, right, mostScale) ?? [left, right]
  return exactly(a, b, arithmetic, (one, other) => {
    const [first, second] = [one.scale, other.scale]
    return decimal(
      () => sql`(${one.value()} * ${other.value()})`,
      typeof first === 'number' && typeof second === 'number'
        ? first + second
        : () => sql`(${scaleSql(first)} + ${scaleSql(second)})`,
      one.digits + other.digits,
      one.maxScale + other.maxScale,
    )
  })
}

/** Factors of whose scales the sum is possible: one of them with fewer digits after the point, but no fewer than `fewScale`. */
function fittingScales(
  left: Decimal,
  right: Decimal,
  mostScale: number,
): readonly [Decimal, Decimal] | undefined {
  if (left.maxScale + right.maxScale <= mostScale) return undefined
  const [leftRoom, rightRoom] = [mostScale - right.maxScale, mostScale - left.maxScale]
  if (right.within !== undefined && rightRoom >= fewScale) return [left, right.within(rightRoom)]
  if (left.within !== undefined && leftRoom >= fewScale) return [left.within(leftRoom), right]
  return undefined
}

/** With all digits where they fit, otherwise with fewer. */
function exactly(
  left: Decimal,
  right: Decimal,
  arithmetic: Arithmetic,
  make: (left: Decimal, right: Decimal) => Decimal,
): Decimal {
  const whole = calculation([left, right], arithmetic, make)
  if (left.narrow === undefined && right.narrow === undefined)
    return exact(whole, arithmetic.context)
  const narrow = lazy(() =>
    exact(
      calculation([left.narrow?.() ?? left, right.narrow?.() ?? right], arithmetic, make),
      arithmetic.context,
    ),
  )
  return fits(whole, arithmetic.context) ? { ...whole, narrow } : narrow()
}

function calculation(
  operands: readonly Decimal[],
  { context, canBeNamed }: Arithmetic,
  make: (one: Decimal, other: Decimal) => Decimal,
): Decimal {
  return calculate(operands, context, canBeNamed, ([one = missing, other = missing]) =>
    make(one, other),
  )
}

const missing: Decimal = decimal(() => nullSql, 0, 0, 0)
