import { auditMigrations } from './audit-migrations.ts'
import { type AuditReader, createAuditReader } from './audit-reader.ts'
import type { AuditOptions } from './create-audit.ts'
import { redactionFor } from './redaction/redaction-for.ts'

/**
 * Opens the audit for reading only.
 *
 * @throws {GatewayError} `invalidConfiguration` when the tables cannot be made.
 */
export async function openAuditReader({
  store,
  settings,
  secret,
}: Pick<AuditOptions, 'store' | 'settings' | 'secret'>): Promise<AuditReader> {
  await store.migrate(auditMigrations)
  const redaction = redactionFor(settings, secret)
  return createAuditReader(store, () => redaction)
}
