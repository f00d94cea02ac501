/**
 * @module Combines several permissions to write. ONE permission must cover a write as a whole: the columns it sets, the row
 * before and the row as it is stored. Two permissions never cover one half each.
 */
import { type Atom, allOf, always, anyOf, canBe, type Formula, whenTrue } from './kleene.ts'

/** The grant of one permission to write. */
export interface WriteGrant<A extends Atom, P extends Preset> {
  readonly columns: ReadonlySet<number>
  /** Set by the permission: the client may not name these. */
  readonly presets: ReadonlyMap<number, P>
  /** On the row before the write; TRUE for an INSERT. */
  readonly old: Formula<A>
  /** On the row as it is stored. */
  readonly new: Formula<A>
}

export interface Preset {
  /** Equal only for equal values. */
  readonly key: string
  /** False: the caller lacks the value of the preset. NULL is never stored instead. */
  readonly isPresent: boolean
}

/** The conditions on a write of some columns. */
export interface WriteCover<A extends Atom, P extends Preset> {
  /** Rows it may touch, as they were before; without the restrictions of the table: its readable rows already have them. */
  readonly rows: Formula<A>
  /** Must be TRUE for every stored row together with its row before. */
  readonly check: Formula<Sided<A>>
  readonly presets: ReadonlyMap<number, P>
}

/** A condition on the row before or after the write. */
export interface Sided<A extends Atom> {
  readonly kind: 'leaf'
  readonly side: 'old' | 'new'
  readonly condition: Formula<A>
}

/** The reason why no permission covers a write. */
export type WriteRefusal = 'columns' | 'presets' | 'missingPreset' | 'conditions'

/** @param restrictions of every permission of the caller on the table; a stored row must satisfy them too. */
export function writeCover<A extends Atom, P extends Preset>(
  grants: readonly WriteGrant<A, P>[],
  restrictions: readonly Formula<A>[],
  columns: readonly number[],
): WriteCover<A, P> | { readonly refused: WriteRefusal } {
  const covering = grants.filter((grant) => columns.every((column) => allows(grant, column)))
  const [first] = covering
  if (first === undefined) return { refused: 'columns' }
  const { presets } = first
  if (!covering.every((grant) => samePresets(grant.presets, presets))) return { refused: 'presets' }
  if (![...presets.values()].every(({ isPresent }) => isPresent))
    return { refused: 'missingPreset' }
  const live = covering.filter((grant) => canBe(grant.old, true) && canBe(grant.new, true))
  const restrict = allOf(restrictions)
  if (live.length === 0 || !canBe(restrict, true)) return { refused: 'conditions' }
  const covered = anyOf(live.map((grant) => covers(grant, live.length === 1)))
  return {
    rows: whenTrue(anyOf(live.map((grant) => grant.old))),
    check: allOf([covered, on('new', restrict)]),
    presets,
  }
}

/** May a client name the column under this permission alone? */
export function allows<A extends Atom, P extends Preset>(
  { columns, presets }: WriteGrant<A, P>,
  column: number,
): boolean {
  return columns.has(column) && !presets.has(column)
}

/** With only one grant, `rows` has already selected the rows that it may touch. */
function covers<A extends Atom, P extends Preset>(
  grant: WriteGrant<A, P>,
  isOnly: boolean,
): Formula<Sided<A>> {
  return allOf([isOnly ? always : on('old', grant.old), on('new', grant.new)])
}

function on<A extends Atom>(side: 'old' | 'new', formula: Formula<A>): Formula<Sided<A>> {
  const condition = whenTrue(formula)
  return condition.kind === 'true' ? always : { kind: 'leaf', side, condition }
}

/** Do two permissions set the same columns to the same values? */
export function samePresets(
  a: ReadonlyMap<number, Pick<Preset, 'key'>>,
  b: ReadonlyMap<number, Pick<Preset, 'key'>>,
): boolean {
  return a.size === b.size && [...a].every(([column, { key }]) => b.get(column)?.key === key)
}
