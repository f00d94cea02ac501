/** @module The parameters of rows that follow from the rows of their shapes. */
import type { Node } from '@pgsql/types'
import type { RepeatedValues } from '../../sql/parse.ts'
import type { ParameterTypes } from '../scope/context.ts'

/**
 * Has every parameter the type of the same parameter of its shape, before the rows are bound? A client may have declared another
 * one, or a WITH query decided it: then its row has other conversions.
 */
export function haveTypesOfShapes(
  { shapes, rows }: RepeatedValues,
  parameters: ParameterTypes,
): boolean {
  const types = shapes.map(({ firstParameter, parameters: count }) =>
    Array.from({ length: count }, (_, i) => parameters.typeOf(firstParameter + i)),
  )
  return rows.every(({ shape, shift }) => {
    const first = (shapes[shape]?.firstParameter ?? 0) + shift
    return types[shape]?.every((type, i) => {
      const own = parameters.typeOf(first + i)
      return own?.oid === type?.oid && own?.typmod === type?.typmod
    })
  })
}

/** Gives the parameters of all rows the types that binding has found for those of the shapes. */
export function fixTypesOfRows({ shapes, rows }: RepeatedValues, parameters: ParameterTypes): void {
  for (const { shape, shift } of rows) {
    const { firstParameter = 0, parameters: count = 0 } = shapes[shape] ?? {}
    for (let index = firstParameter; index < firstParameter + count; index += 1) {
      const type = parameters.typeOf(index)
      if (type !== undefined) parameters.fix(index + shift, type, undefined)
    }
  }
}

/** The syntax trees of all rows. */
export function allRows(
  shapes: readonly (readonly Node[])[],
  { rows }: RepeatedValues,
): readonly (readonly Node[])[] {
  return rows.map(({ shape, shift }) => (shapes[shape] ?? []).map((cell) => shifted(cell, shift)))
}

/** A cell is a parameter, a constant, DEFAULT, or a conversion of one of these. */
function shifted(cell: Node, shift: number): Node {
  if ('ParamRef' in cell) {
    const { number = 0 } = cell.ParamRef
    return { ParamRef: { ...cell.ParamRef, number: number + shift } }
  }
  if (!('TypeCast' in cell) || cell.TypeCast.arg === undefined) return cell
  return { TypeCast: { ...cell.TypeCast, arg: shifted(cell.TypeCast.arg, shift) } }
}
