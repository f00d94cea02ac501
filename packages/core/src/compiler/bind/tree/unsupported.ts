import { GatewayError } from '../../../foundation/errors.ts'

/**
 * The refusal of a construct that one kind of database has no faithful form for.
 *
 * @param construct as people call it: `ON CONFLICT ON CONSTRAINT`
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
