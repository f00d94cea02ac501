/** @module A password from a request, before it is hashed. */
import { type BodyObject, invalidInput, readWellFormed } from '../input/read-input.ts'

/** Never logged, never stored. */
export interface Password {
  /** Code points in NFKC, so that all keyboards give the same spelling. This text is hashed. */
  readonly normalized: string
  /** The spelling that other systems may have hashed. */
  readonly given: string
}

/** Maximum UTF-8 bytes; more would only take time. */
const maxBytes = 1_024

/**
 * Checks only the size: nothing is cut off or trimmed.
 *
 * @throws {GatewayError} `invalidInput` naming the field.
 */
export function readPassword(body: BodyObject, field: string): Password {
  const given = readWellFormed(body, field)
  if (given === '') throw invalidInput(`${field} is required.`)
  if (Buffer.byteLength(given) > maxBytes) {
    throw invalidInput(`${field} must have at most ${maxBytes} bytes.`)
  }
  return passwordOf(given)
}

export function passwordOf(given: string): Password {
  return { normalized: given.normalize('NFKC'), given }
}
