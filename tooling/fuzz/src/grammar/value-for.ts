/** @module Values for columns in writes. */
import { group, type Tree } from '../tree/tree.ts'
import { storable } from '../world/random-world.ts'
import { withinDomain } from '../world/shape.ts'
import type { WorldColumn, WorldTable } from '../world/world.ts'
import type { Grammar, Scope } from './grammar.ts'
import { quoted, sampleText } from './literals.ts'
import { volatileTest } from './volatile.ts'

/** Ids of rows that no table has from the beginning, and some that tables have. */
function keyText({ random }: Grammar, isFresh: boolean): string {
  return String(isFresh || random.chance(75) ? random.integer(100, 120) : random.integer(1, 8))
}

export function columnsNamed(
  { columns }: WorldTable,
  names: readonly string[],
): readonly WorldColumn[] {
  return columns.filter(({ name }) => names.includes(name))
}

/** A value for a column; usually the column can store it. */
export function valueFor(
  grammar: Grammar,
  target: WorldTable,
  column: WorldColumn,
  scope: Scope,
  depth: number,
  isFresh: boolean,
): Tree {
  const { random, volatility } = grammar
  const type = column.type
  if (volatility !== undefined && random.chance(volatility.percent)) {
    const plainly = { ...grammar, volatility: undefined }
    const one = () => valueFor(plainly, target, column, scope, depth, isFresh)
    return group(`e:${type}`)`case when ${volatileTest(grammar)} then ${one()} else ${one()} end`
  }
  const text = (value: string): Tree => group(`e:${type}`)`${`${quoted(value)}::${type}`}`
  const taken = grammar.taken(target.name, column.name)
  if (taken.length > 0 && !isFresh && random.chance(50)) return text(random.pick(taken))
  const isKey = target.foreignKeys.some((key) => key.column === column.name)
  if (column.name === 'id') return text(keyText(grammar, isFresh))
  if (column.isNullable && random.chance(10)) return 'null'
  if (isKey) return text(String(random.integer(1, 6)))
  if (random.chance(55)) return text(storedText(grammar, column))
  return grammar.expression(scope, type, depth)
}

/** Rarely a value that is not in a list. */
function storedText({ random }: Grammar, column: WorldColumn): string {
  const sample = storable(sampleText(random, column.type), column.stored)
  if (column.list === undefined || random.chance(10)) return sample
  return withinDomain(sample, column) ?? sample
}
