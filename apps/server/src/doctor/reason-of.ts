import { reasonOf as causeOf } from '@engine/core/server'
import { createRedactor } from '../redactor.ts'

/**
 * What a driver said in the end, without what is secret.
 *
 * @param secrets a configuration, or the URL that was used; what is secret in it is left out.
 * @returns one line.
 */
export function reasonOf(error: unknown, secrets: unknown): string {
  const { redact, protect } = createRedactor()
  protect(secrets)
  return redact(causeOf(error))
}
