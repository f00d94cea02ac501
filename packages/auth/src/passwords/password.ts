/** @module A password on its way from a request to a hash. */
import { type BodyObject, invalidInput, readWellFormed } from '../read-input.ts'

/** Never logged, never stored. */
export interface Password {
  /** Code points in NFKC, so that every keyboard's spelling of it is one. What is hashed. */
  readonly normalized: string
  /** What other systems may have hashed. */
  readonly given: string
}

/** UTF-8 bytes; more would only cost time. */
const maxBytes = 1_024

/**
 * Applies no policy but a bound on the size: nothing is cut off or trimmed.
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
