/**
 * @module A row filter as a tree of groups and conditions, and back. What the builder has no form for (relations, `$exists`,
 * other columns) stays as it is written.
 */
import { isEditable } from './operators.ts'

export type Join = '$and' | '$or' | '$nor' | '$not'

export interface Group {
  readonly kind: 'group'
  /** `$not`: not all of them. */
  readonly join: Join
  readonly items: readonly Node[]
}

export interface Condition {
  readonly kind: 'condition'
  /** A column, or `$user.<field>`. */
  readonly left: string
  readonly operator: string
  readonly operand: unknown
}

export interface Written {
  readonly kind: 'written'
  readonly filter: Readonly<Record<string, unknown>>
}

export type Node = Group | Condition | Written

type Entries = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Entries {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export const everything: Group = { kind: 'group', join: '$and', items: [] }

/** The tree of a filter; its root is a group of `$and` unless the filter is one other group. */
export function treeOf(filter: unknown): Group {
  if (!isObject(filter)) return everything
  const items = Object.entries(filter).flatMap(([key, value]) => nodesOf(key, value))
  const [only] = items
  if (items.length === 1 && only?.kind === 'group') return only
  return { kind: 'group', join: '$and', items }
}

function nodesOf(key: string, value: unknown): readonly Node[] {
  const written: Written = { kind: 'written', filter: { [key]: value } }
  if (key === '$and' || key === '$or' || key === '$nor') {
    if (!Array.isArray(value) || !value.every(isObject)) return [written]
    return [{ kind: 'group', join: key, items: value.map(itemOf) }]
  }
  if (key === '$not') {
    if (!isObject(value)) return [written]
    const inner = treeOf(value)
    const items = inner.join === '$and' ? inner.items : [inner]
    return [{ kind: 'group', join: '$not', items }]
  }
  if (key.startsWith('$') && !key.startsWith('$user.')) return [written]
  if (!isObject(value) || isOperand(value)) {
    return [{ kind: 'condition', left: key, operator: '$eq', operand: value }]
  }
  const parts = Object.entries(value)
  if (parts.length === 0 || !parts.every(([operator]) => isEditable(operator))) return [written]
  return parts.map(([operator, operand]) => ({ kind: 'condition', left: key, operator, operand }))
}

/** A member of a list: several keys are a group of their own. */
function itemOf(filter: Entries): Node {
  const { join, items } = treeOf(filter)
  const [only] = items
  return items.length === 1 && join === '$and' && only !== undefined
    ? only
    : { kind: 'group', join, items }
}

function isOperand(value: Entries): boolean {
  const [key, ...others] = Object.keys(value)
  return others.length === 0 && ['$col', '$literal', '$now', '$outer'].includes(key ?? '')
}

/** The filter of a tree; undefined where it restricts nothing. */
export function filterOf(group: Group): Entries | undefined {
  const filter = written(group)
  return Object.keys(filter).length === 0 ? undefined : filter
}

function written(node: Node): Entries {
  switch (node.kind) {
    case 'written':
      return node.filter
    case 'condition':
      return conditionOf(node)
    case 'group':
      if (node.join === '$and') return allOf(node.items)
      if (node.join === '$not') return { $not: allOf(node.items) }
      return { [node.join]: node.items.map(written) }
  }
}

function conditionOf({ left, operator, operand }: Condition): Entries {
  const isPlain =
    operator === '$eq' && (!isObject(operand) || isOperand(operand)) && operand !== null
  return { [left]: isPlain && !Array.isArray(operand) ? operand : { [operator]: operand } }
}

/** One object where the keys allow it, a list under `$and` otherwise. */
function allOf(items: readonly Node[]): Entries {
  const parts = items.map(written)
  const merged = new Map<string, unknown>()
  for (const [key, value] of parts.flatMap((part) => Object.entries(part))) {
    const before = merged.get(key)
    if (before === undefined) {
      merged.set(key, value)
    } else {
      const both = { ...spelled(key, before), ...spelled(key, value) }
      const count =
        Object.keys(spelled(key, before)).length + Object.keys(spelled(key, value)).length
      const areDistinct = Object.keys(both).length === count
      if (!areDistinct || !Object.keys(both).every(isEditable)) {
        return { $and: parts }
      }
      merged.set(key, both)
    }
  }
  return Object.fromEntries(merged)
}

/** A condition with its operators written out; anything else is left under a name that is none. */
function spelled(key: string, value: unknown): Entries {
  if (key.startsWith('$') && !key.startsWith('$user.')) return { written: value }
  if (isObject(value) && !isOperand(value)) return value
  return { $eq: value }
}
