import { type Log, silentLog } from '@engine/core'
import { invalidConfiguration, type Settings, shortSecrets } from '@engine/core/server'

/**
 * Refuses short secrets in production, and warns of them elsewhere.
 *
 * @throws {GatewayError} `invalidConfiguration` that names them.
 */
export function requireLongSecrets(
  settings: Pick<Settings, 'masterKey' | 'auth'>,
  { isDevelopment, log = silentLog }: { readonly isDevelopment: boolean; readonly log?: Log },
): void {
  const faults = shortSecrets(settings)
  if (faults.length > 0 && !isDevelopment) throw invalidConfiguration(faults)
  for (const { path } of faults) {
    log.warn({ path }, 'a secret is shorter than 32 bytes: production does not start with it')
  }
}
