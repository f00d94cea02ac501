import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import type { AuditSettings } from '../../../config/settings/operations-settings.ts'
import type { Settings } from '../../../config/settings/settings.ts'
import { createRedaction, keepsAll, type Redaction } from './redact.ts'

/** The redaction of e-mail addresses and telephone numbers in the audit. @param secret see `AuditOptions`. */
export function redactionFor(
  { piiRedaction }: Pick<AuditSettings, 'piiRedaction'>,
  secret: string | undefined,
): Redaction {
  if (!piiRedaction) return keepsAll
  const material = secret ?? randomBytes(32)
  const key = Buffer.from(hkdfSync('sha256', material, '', 'engine audit: e-mail addresses', 32))
  return createRedaction((address) => {
    const hash = createHmac('sha256', key).update(address.trim().toLowerCase()).digest('hex')
    return `email:${hash.slice(0, 32)}`
  })
}

/** The value of `AuditOptions.secret` in a configuration: the secret that changes least often. Undefined without any secret. */
export function auditSecret({
  masterKey,
  auth,
}: Pick<Settings, 'masterKey' | 'auth'>): string | undefined {
  return masterKey ?? auth?.secrets.at(-1)
}
