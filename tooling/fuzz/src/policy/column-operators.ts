/** @module The operators that a column of a world has, by the form of their operand, from the contract's table. */
import {
  type FilterOperandForm,
  type FilterOperatorDescription,
  type FilterOperatorName,
  type FilterTypeClass,
  filterOperatorNames,
  filterOperatorTable,
} from '@engine/contract'
import { isComparable } from '../grammar/types.ts'
import type { WorldColumn } from '../world/world.ts'

/** Operators that are alike: for the same types, with the same form of operand. */
export interface OperatorGroup {
  readonly needed: FilterTypeClass
  readonly form: FilterOperandForm
  readonly names: readonly FilterOperatorName[]
}

const groups: readonly OperatorGroup[] = groupsOfTable()

function groupsOfTable(): readonly OperatorGroup[] {
  const uses = filterOperatorNames.flatMap((name) => {
    const { operands }: FilterOperatorDescription = filterOperatorTable[name]
    return Object.entries(operands).map(([needed, form]) => ({ needed, form, name }))
  })
  const byUse = Map.groupBy(uses, ({ needed, form }) => `${needed} ${form}`)
  return [...byUse.values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    const needed = first.needed as FilterTypeClass
    return [{ needed, form: first.form, names: alike.map(({ name }) => name) }]
  })
}

/** The groups of operators that the engine has for a column, on all databases. */
export function operatorGroups(column: WorldColumn): readonly OperatorGroup[] {
  const classes = classesOf(column)
  return groups.filter(({ needed }) => classes.has(needed))
}

function classesOf(column: WorldColumn): ReadonlySet<FilterTypeClass> {
  const { type, stored, foldedOn } = column
  const classes = new Set<FilterTypeClass>(['any'])
  if (type.endsWith('[]')) return classes.add('array')
  if (type === 'jsonb') return classes.add('document')
  if (isComparable(type)) classes.add('equality').add('order')
  if (type === 'bytea') classes.add('bytes')
  // A blank-padded or case-insensitive text is not compared as PostgreSQL's text.
  if (type === 'text' && stored !== 'char(4)' && foldedOn === undefined) classes.add('text')
  return classes
}
