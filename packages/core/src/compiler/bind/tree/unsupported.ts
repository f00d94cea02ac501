import { GatewayError } from '../../../foundation/errors.ts'

/**
 * Refuses a construct that a kind of database cannot express faithfully.
 *
 * @param construct as users call it: `ON CONFLICT ON CONSTRAINT`
 * @param database `PostgreSQL`, `SQLite` ...
 * @param position 1-based character position in the client's text
 */
export function unsupportedConstruct(
  construct: string,
  database: string,
  position: number | undefined,
): GatewayError {
  const place = position === undefined ? '' : ` (position ${position})`
  return new GatewayError('unsupported', `${construct} is not supported on ${database}${place}`, {
    sqlState: '0A000',
    ...(position === undefined ? {} : { position }),
  })
}
