/** @module The columns of a plan's result. They are computed once for a plan and shared by all sessions. */
import type { StatementDescription } from '@engine/core/session'
import type { CatalogNumbers } from '../../catalog/catalog-numbers.ts'
import type { ValueSettings } from '../../values/cell-format.ts'
import { engineShape, type ResultShape } from './result-shape.ts'

interface Known {
  readonly numbers: CatalogNumbers
  readonly values: ValueSettings
  readonly shape: ResultShape
}

const known = new WeakMap<StatementDescription, Known>()

/** With the OIDs of the catalogs, in the formats of a session. */
export function shapeOf(
  description: StatementDescription,
  numbers: CatalogNumbers,
  values: ValueSettings,
): ResultShape {
  const last = known.get(description)
  if (last?.numbers === numbers && isSame(last.values, values)) return last.shape
  const shape = engineShape(description, numbers, values)
  known.set(description, { numbers, values, shape })
  return shape
}

function isSame(a: ValueSettings, b: ValueSettings): boolean {
  return (
    a === b ||
    (a.timeZone === b.timeZone &&
      a.byteaOutput === b.byteaOutput &&
      a.encoding === b.encoding &&
      a.intervalStyle === b.intervalStyle &&
      a.dateOutput === b.dateOutput &&
      a.dateOrder === b.dateOrder &&
      a.extraFloatDigits === b.extraFloatDigits &&
      a.clock === b.clock)
  )
}
