/** @module Fragments of SQL whose value may differ on each evaluation. Each long fragment is visited once. */
import type { Sql } from '@engine/core/print'

/** Of long fragments, and of calls that are marked: to remember each short one takes longer than to visit it again. */
const known = new WeakMap<Sql, boolean>()

/** Pieces of a long fragment. */
const longSize = 32

/** Marks a call whose value may differ on each evaluation. */
export function volatileCall(call: Sql): Sql {
  known.set(call, true)
  return call
}

export function isVolatileSql(fragment: Sql): boolean {
  const found = known.get(fragment)
  if (found !== undefined) return found
  const answer = fragment.pieces.some(
    (piece) => typeof piece === 'object' && 'pieces' in piece && isVolatileSql(piece),
  )
  if (fragment.size >= longSize) known.set(fragment, answer)
  return answer
}
