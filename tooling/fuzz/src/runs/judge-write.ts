/** @module Checks that at least one permission allowed every row that a write has stored. */
import type { Permission } from '@engine/core'
import type { WriteFacts } from '../grammar/write.ts'
import { columnsOf, permissionsOf } from '../policy/grants.ts'
import {
  type AskedRow,
  rowVerdicts,
  type Verdict,
  type VerdictScene,
} from '../policy/row-verdicts.ts'
import type { Contents } from '../stores/store.ts'
import type { DirectSubject } from '../subjects/direct-subject.ts'
import { tagName } from '../world/random-world.ts'
import { shapeOf } from '../world/shape.ts'
import type { Cell, Row, WorldColumn, WorldTable } from '../world/world.ts'

/** A row before and after; one of them is missing for new and for deleted rows. */
interface Change {
  readonly table: WorldTable
  readonly before: Row | undefined
  readonly after: Row | undefined
}

export interface JudgedWrite {
  /** The writes of each statement. */
  readonly writes: readonly WriteFacts[]
  readonly before: Contents
  readonly after: Contents
}

/** @returns the errors, a line for each change that no permission allows. */
export async function judgeWrite(
  subject: DirectSubject,
  scene: VerdictScene,
  { writes, before, after }: JudgedWrite,
): Promise<readonly string[]> {
  const changes = scene.world.tables.flatMap((table) =>
    changesOf(table, before.get(table.name) ?? [], after.get(table.name) ?? []),
  )
  const asked = changes.flatMap(({ table, before: old, after: row }): AskedRow[] => [
    ...(old === undefined ? [] : [{ table, row: old, at: 'before' } as const]),
    ...(row === undefined ? [] : [{ table, row, at: 'after' } as const]),
  ])
  const verdicts = await rowVerdicts(subject, scene, { before, after }, asked)
  let place = 0
  return changes.flatMap((change) => {
    const old = change.before === undefined ? [] : (verdicts[place++] ?? [])
    const now = change.after === undefined ? [] : (verdicts[place++] ?? [])
    if (isByReference(change, after)) return []
    const facts = writes.filter(({ table }) => table === change.table.name)
    const permissions = permissionsOf(scene.policy, scene.caller, change.table.name)
    if (isAllowed(change, { facts, permissions, old, now })) return []
    return [describe(change)]
  })
}

function changesOf(
  table: WorldTable,
  before: readonly Row[],
  after: readonly Row[],
): readonly Change[] {
  const at = table.columns.findIndex(({ name }) => name === tagName)
  const keyed = (rows: readonly Row[]) => new Map(rows.map((row) => [row[at] ?? null, row]))
  const [old, now] = [keyed(before), keyed(after)]
  const changes: Change[] = []
  for (const [tag, row] of old) {
    const other = now.get(tag)
    if (other === undefined || differ(row, other))
      changes.push({ table, before: row, after: other })
  }
  for (const row of after) {
    const tag = row[at] ?? null
    if (tag === null || !old.has(tag)) changes.push({ table, before: undefined, after: row })
  }
  return changes
}

function differ(one: readonly Cell[], other: readonly Cell[]): boolean {
  return one.some((cell, i) => cell !== other[i])
}

/** ON DELETE CASCADE and SET NULL change rows without a check of permissions. */
function isByReference({ table, before, after }: Change, stored: Contents): boolean {
  if (before === undefined) return false
  const isGone = (column: string, target: string): boolean => {
    const key = before[table.columns.findIndex(({ name }) => name === column)]
    return key !== null && !(stored.get(target) ?? []).some((row) => row[0] === key)
  }
  const lost = table.foreignKeys.filter(({ column, table: target }) => isGone(column, target))
  if (after === undefined) return lost.some(({ onDelete }) => onDelete === 'cascade')
  const emptied = lost
    .filter(({ onDelete }) => onDelete === 'set null')
    .map(({ column }) => table.columns.findIndex(({ name }) => name === column))
  return before.every((cell, i) => cell === after[i] || (emptied.includes(i) && after[i] === null))
}

interface Evidence {
  /** Writes of the statements to the changed table. */
  readonly facts: readonly WriteFacts[]
  readonly permissions: readonly Permission[]
  readonly old: readonly Verdict[]
  readonly now: readonly Verdict[]
}

function isAllowed(change: Change, evidence: Evidence): boolean {
  const { facts, old, now } = evidence
  if (old.some(({ restrict }) => !restrict)) return false
  if (now.some(({ restrict }) => !restrict)) return false
  if (change.before !== undefined && !old.some(({ select }) => select)) return false
  const [only, ...others] = facts
  if (only === undefined) return false
  return others.length === 0 ? isAllowedBy(change, evidence, only) : isReachable(change, evidence)
}

/** One statement wrote to the table: one permission must cover all of it. */
function isAllowedBy(
  { table, before, after }: Change,
  { permissions, old, now }: Evidence,
  { operation, conflict }: WriteFacts,
): boolean {
  const covers = (i: number, kind: 'insert' | 'update') => {
    const block = permissions[i]?.[kind]
    if (block === undefined || before === undefined || after === undefined)
      return block !== undefined
    const granted = [...columnsOf(block.columns, table), ...Object.keys(block.preset ?? {})]
    const isFree = ({ name, generated }: WorldColumn) =>
      generated !== undefined || granted.includes(name) || isSetByTrigger(table, name)
    return table.columns.every((column, at) => before[at] === after[at] || isFree(column))
  }
  if (before === undefined) {
    if (operation !== 'insert') return false
    const isInserted = now.some(({ insertCheck }) => insertCheck)
    const isUpsert = conflict !== undefined && conflict.columns.length > 0
    return isInserted && (!isUpsert || now.some(({ updateCheck }) => updateCheck))
  }
  if (after === undefined)
    return operation === 'delete' && old.some(({ deleteWhere }) => deleteWhere)
  const isUpdated = permissions.some(
    (_, i) => old[i]?.updateWhere === true && now[i]?.updateCheck === true && covers(i, 'update'),
  )
  if (operation === 'update') return isUpdated
  return (
    operation === 'insert' &&
    conflict !== undefined &&
    isUpdated &&
    now.some(({ insertCheck }) => insertCheck)
  )
}

function isSetByTrigger(table: WorldTable, column: string): boolean {
  return shapeOf(table).triggers.some((each) => each.does === 'sets' && each.column === column)
}

/** Several statements did: the last one must be able to produce the final row. */
function isReachable({ before, after }: Change, { old, now }: Evidence): boolean {
  const canTouch = old.some(({ updateWhere, deleteWhere }) => updateWhere || deleteWhere)
  if (before !== undefined && !canTouch) return false
  if (after === undefined) return true
  return now.some(
    ({ insertCheck, updateCheck }) => updateCheck || (before === undefined && insertCheck),
  )
}

function describe({ table: { name }, before, after }: Change): string {
  return `${name}: ${JSON.stringify(before ?? null)} became ${JSON.stringify(after ?? null)}`
}
