/** @module Which configurations need the service database. */
import { type Settings, serviceDatabaseSource } from '@engine/core/server'

/**
 * Accounts, API keys and the audit are stored there, and counts of requests where nodes can share it. Where the
 * configuration names a service database, it may contain API keys; otherwise it is not needed.
 */
export function needsStore(settings: Settings): boolean {
  const { auth, audit, masterKey, limits, serviceDatabase, pgWire } = settings
  const { rateLimitPerIp, rateLimitPerUser, rateLimitStore } = limits
  const isCounting = rateLimitPerIp !== undefined || rateLimitPerUser !== undefined
  const isServer =
    serviceDatabaseSource(serviceDatabase)?.adapterPackage !== '@engine/adapters-sqlite'
  const sharesCounts = isCounting && rateLimitStore === undefined && isServer
  const hasKeys = settings.isServiceDatabaseNamed || pgWire?.strategies.includes('apiKey') === true
  return auth !== undefined || audit.enabled || masterKey !== undefined || sharesCounts || hasKeys
}
