/**
 * @module Numerics that a calculation needs several times: for their value and for the scale that PostgreSQL would show. The text
 * of a numeric contains both, so a long one is named as text.
 */
import type { Sql } from '@engine/core/print'
import { nullSql, type PrintContext } from '../../print-context.ts'
import { isLong, letValues } from '../binding/let-binding.ts'
import type { NamedValue } from '../binding/named-value.ts'
import {
  type Calculation,
  type Decimal,
  decimal,
  decimalOfText,
  lazy,
  scaleOfDigits,
} from './decimal.ts'

/** Calls `body` with decimals of which it can use every part any number of times. */
export function onceDecimals(
  operands: readonly Decimal[],
  context: PrintContext,
  canBeNamed: boolean,
  body: (...operands: readonly Decimal[]) => Sql,
  mostPieces?: number,
): Sql {
  const isOneLong = operands.some((each) => isLongDecimal(each, mostPieces))
  const values = operands.map((each) => namedDecimal(each, isOneLong, mostPieces))
  return letValues(
    values.filter((each) => each !== undefined),
    context,
    canBeNamed,
    (...names) => {
      const rest = names.values()
      const bound = operands.map((operand, index) =>
        values[index] === undefined ? operand : decimalNamed(operand, rest.next().value ?? nullSql),
      )
      return body(...bound)
    },
    mostPieces,
  )
}

/** Undefined for an operand whose parts are all short. */
function namedDecimal(
  operand: Decimal,
  isOneLong: boolean,
  mostPieces: number | undefined,
): NamedValue | undefined {
  const { value, scale, text, maxScale } = operand
  if (typeof scale === 'number') return { value: value(), kind: maxScale }
  const isNamed = isLongDecimal(operand, mostPieces) || (isOneLong && text().isBoundToLevel)
  return isNamed ? { value: text(), kind: 'text' } : undefined
}

function isLongDecimal({ value, scale, text }: Decimal, mostPieces?: number): boolean {
  if (typeof scale === 'number') return isLong(value(), mostPieces)
  return [value(), scale(), text()].some((part) => isLong(part, mostPieces))
}

function decimalNamed({ scale, digits, maxScale }: Decimal, name: Sql): Decimal {
  if (typeof scale === 'number') return decimal(() => name, scale, digits, maxScale)
  return {
    value: lazy(() => decimalOfText(name, Math.min(digits, 65 - maxScale), maxScale)),
    scale: lazy(() => scaleOfDigits(name)),
    text: () => name,
    digits,
    maxScale,
  }
}

/**
 * A numeric that is calculated from others. Its text needs value and scale of all of them, so the leaves of a whole tree of
 * calculations are named.
 */
export function calculate(
  operands: readonly Decimal[],
  context: PrintContext,
  canBeNamed: boolean,
  make: (operands: readonly Decimal[]) => Decimal,
): Decimal {
  const plain = make(operands)
  if (typeof plain.scale === 'number') return plain
  const calculation: Calculation = { operands, make }
  const text = lazy(() => {
    const leaves = leavesOf(calculation)
    if (!leaves.some((each) => typeof each.scale !== 'number' && isLongDecimal(each))) {
      return plain.text()
    }
    return onceDecimals(leaves, context, canBeNamed, (...bound) =>
      rebuilt(calculation, bound.values()).text(),
    )
  })
  return { ...plain, text, calculation }
}

function leavesOf({ operands }: Calculation): readonly Decimal[] {
  return operands.flatMap((each) =>
    each.calculation === undefined ? [each] : leavesOf(each.calculation),
  )
}

/** The same calculation over other leaves, in their order. */
function rebuilt({ operands, make }: Calculation, leaves: Iterator<Decimal>): Decimal {
  return make(
    operands.map((each) =>
      each.calculation === undefined
        ? (leaves.next().value as Decimal)
        : rebuilt(each.calculation, leaves),
    ),
  )
}
