import { GatewayError } from '../../foundation/errors.ts'

/** Position and details of the error as in PostgreSQL. */
export interface BindErrorOptions {
  readonly sqlState: string
  readonly position: number | undefined
  /** PostgreSQL's hint for a correction. */
  readonly hint?: string | undefined
}

/** The error for an invalid statement: `message` is PostgreSQL's own where it has one. */
export function bindError(message: string, options: BindErrorOptions): GatewayError {
  return new GatewayError('badRequest', located(message, options.position), {
    sqlState: options.sqlState,
    ...(options.hint === undefined ? {} : { details: { hint: options.hint } }),
    ...positioned(options.position),
  })
}

/** Valid PostgreSQL that Engine does not accept. `construct` begins a sentence: `a row constructor`. */
export function unsupported(construct: string, position: number | undefined): GatewayError {
  return new GatewayError('unsupported', located(`${construct} is not supported`, position), {
    sqlState: '0A000',
    ...positioned(position),
  })
}

/** `message (position 17)`. */
export function located(message: string, position: number | undefined): string {
  return position === undefined ? message : `${message} (position ${position})`
}

/** To spread into an object whose `position` is optional. */
export function positioned(position: number | undefined): { readonly position?: number } {
  return position === undefined ? {} : { position }
}

/** A name in the SQL spelling that is read back exactly. */
export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
