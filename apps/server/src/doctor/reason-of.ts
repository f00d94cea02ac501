import { reasonOf as causeOf } from '@engine/core/server'
import { createRedactor } from '../logging/redactor.ts'

/**
 * The innermost message of an error, usually the driver's, without secrets.
 *
 * @param secrets a configuration, or the URL that was used; its secrets are redacted.
 * @returns one line.
 */
export function reasonOf(error: unknown, secrets: unknown): string {
  const { redact, protect } = createRedactor()
  protect(secrets)
  return redact(causeOf(error))
}
