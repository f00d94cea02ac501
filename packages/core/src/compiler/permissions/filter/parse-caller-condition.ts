import { filterOperatorNames, filterOperatorTable } from '@engine/contract'
import { isPlainObject } from '../../../foundation/plain-object.ts'
import { oids } from '../../sql-types/oids.ts'
import type { SqlType } from '../../sql-types/sql-type.ts'
import { unknown } from '../combination/kleene.ts'
import type { FilterContext } from './filter-context.ts'
import { parseCondition } from './parse-condition.ts'
import type { PolicyFilter } from './policy-filter.ts'
import { callerOperand } from './policy-operand.ts'

/** `'$user.level': { $gte: 3 }`: a condition on the caller alone, the same for every row. */
export function callerCondition(
  reference: string,
  value: unknown,
  context: FilterContext,
  path: string,
): PolicyFilter {
  const type = typeOfOperand(value, context)
  const left = callerOperand(reference, type, context, path)
  return left === undefined ? unknown : parseCondition(left, type, value, context, path)
}

/** A caller's field has no declared type: it gets the type of its operand. */
function typeOfOperand(value: unknown, context: FilterContext): SqlType {
  if (typeof value === 'boolean') return { oid: oids.bool, typmod: -1 }
  if (typeof value === 'number') return { oid: oids.numeric, typmod: -1 }
  if (Array.isArray(value)) return typeOfOperand(value[0], context)
  if (!isPlainObject(value)) return { oid: oids.text, typmod: -1 }
  if (typeof value['$col'] === 'string') {
    const column = context.table.columns.find((candidate) => candidate.name === value['$col'])
    if (column !== undefined) return { oid: column.type.oid, typmod: -1 }
  }
  const [first] = Object.entries(value)
  if (first === undefined) return { oid: oids.text, typmod: -1 }
  const [key, operand] = first
  return flags.has(key) ? { oid: oids.text, typmod: -1 } : typeOfOperand(operand, context)
}

/** Operators whose operand does not determine the type of the field. */
const flags: ReadonlySet<string> = new Set(
  filterOperatorNames.filter((name) =>
    Object.values(filterOperatorTable[name].operands).includes('flag'),
  ),
)
