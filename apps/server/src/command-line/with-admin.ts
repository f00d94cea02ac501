/** @module Changes the accounts of a configuration file, and records each change. */
import { createStoreAdmin, type StoreAdmin } from '@engine/auth'
import { type AuditLog, auditSecret, createAudit } from '@engine/core/server'
import { needsStore } from '@engine/http'
import { wrongArgument } from './outcome.ts'
import { terseLog } from './with-engine.ts'
import { withStore } from './with-store.ts'

/** The methods that a command changes accounts with. */
export interface CommandAdmin {
  readonly admin: StoreAdmin
  /** Records a change. @throws {GatewayError} `unavailable` (503). */
  record(action: string, facts: Readonly<Record<string, unknown>>): Promise<void>
}

/**
 * @param path value of `--config`.
 * @param needed requirements for the configuration.
 * @throws {GatewayError} `invalidConfiguration`; `unavailable` when the service database cannot be reached; errors of
 * `use`.
 */
export async function withAdmin<T>(
  path: string | undefined,
  needed: 'accounts' | 'API keys',
  use: (admin: CommandAdmin) => Promise<T>,
): Promise<T> {
  return withStore(path, async (store, settings) => {
    if (needed === 'accounts' && settings.auth === undefined) {
      throw wrongArgument('The configuration has no auth: there are no accounts')
    }
    if (!needsStore(settings)) {
      throw wrongArgument(
        'No server with this configuration knows API keys: name a service_db, or give it a masterKey',
      )
    }
    const options = { store, log: terseLog, clock: Date.now }
    const secret = auditSecret(settings)
    const audit = await createAudit({ ...options, settings: settings.audit, secret })
    try {
      const admin = await createStoreAdmin(options)
      // A server on another machine may be unreachable: then nothing is changed.
      await store.ping()
      return await use({ admin, record: (action, facts) => record(audit, action, facts) })
    } finally {
      await audit.close()
    }
  })
}

async function record(
  audit: AuditLog,
  action: string,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  const origin = { correlationId: undefined, ip: undefined, credentialId: undefined }
  const who = { via: 'cli', caller: 'admin', roles: [] }
  await audit.record({ ...origin, ...who, kind: 'admin', action, facts })
  await audit.flush()
  audit.requireWritable()
}
