/** @module The errors for more rows than a client may have at once. Drivers drop notices: a part would be taken for the whole. */
import { GatewayError } from '../../foundation/errors.ts'

const refusals = new WeakSet<Error>()

/** The statement itself has succeeded: no check of a write explains this error. */
export function isTooManyRows(error: unknown): boolean {
  return error instanceof Error && refusals.has(error)
}

/**
 * The error for an answer of more rows than `maxRows`.
 *
 * @param isWrite its rows are undone.
 */
export function tooManyRows(maxRows: number, isWrite: boolean): GatewayError {
  return refusal(
    `the answer has more than ${maxRows} rows`,
    isWrite
      ? 'Nothing was written. Write in parts, or without RETURNING.'
      : 'Add LIMIT, fetch in pieces (a cursor, or the fetch size of the driver), or use COPY (SELECT ...) TO STDOUT.',
  )
}

/** For a cursor, a portal that is read in pieces, and COPY. */
export function tooManyRowsInPieces(maxRows: number): GatewayError {
  return refusal(
    `the query has more than ${maxRows} rows`,
    'Read in parts, such as WHERE id > (the last one) ORDER BY id LIMIT 10000. pgWire.maxCursorRows sets the limit.',
  )
}

function refusal(message: string, hint: string): GatewayError {
  const error = new GatewayError('limitExceeded', message, { sqlState: '54000', details: { hint } })
  refusals.add(error)
  return error
}
