/** @module Values for `WHERE CURRENT OF`: the places of the current rows of cursors. */
import type { CursorReference } from '../../compiler/bind/tree/current-row.ts'
import type { Plan } from '../../compiler/plan/plan.ts'
import { GatewayError } from '../../foundation/errors.ts'

/** The texts of `tableoid` and `ctid` of a row. */
export interface RowPlaceTexts {
  readonly tableOid: string
  readonly ctid: string
}

/** Finds the place of a cursor's current row in a table. */
export type CurrentRowOf = (reference: CursorReference) => RowPlaceTexts

/** The values of a request, then those of the cursors that the plan names. */
export function withCurrentRows<Value>(
  { cursors }: Plan,
  {
    params,
    currentRow = noCursor,
  }: { readonly params: readonly Value[]; readonly currentRow?: CurrentRowOf | undefined },
): readonly (Value | string)[] {
  if (cursors === undefined) return params
  const places = cursors.map(currentRow)
  return [...params, ...places.flatMap(({ tableOid, ctid }) => [ctid, tableOid])]
}

/** A request outside of a session has no cursors. */
function noCursor({ cursor }: CursorReference): never {
  throw new GatewayError('badRequest', `cursor "${cursor}" does not exist`, { sqlState: '34000' })
}
