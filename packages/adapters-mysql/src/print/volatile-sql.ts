/** @module Fragments of SQL whose value may differ on each evaluation. Each fragment is visited once. */
import type { Sql } from '@engine/core/adapter'

const known = new WeakMap<Sql, boolean>()

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
  known.set(fragment, answer)
  return answer
}
