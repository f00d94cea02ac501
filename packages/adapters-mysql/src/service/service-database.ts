/** @module MariaDB and MySQL as the service database. */
import { type ServiceDatabaseFactory, serviceWaitMs } from '@engine/core/driver'
import { connectionOptions } from '../driver/connection-options.ts'
import { createSessionPool } from '../driver/session-pool.ts'
import { openServiceSession, type ServiceSession } from './service-session.ts'

/** The most connections. */
const most = 10

/** Opens MariaDB 10.6 or later, or MySQL 8.0.31 or later, as the service database. The URL's `ssl-mode` decides about TLS. */
export const serviceDatabase: ServiceDatabaseFactory = (url, { log }) => {
  const options = {
    ...connectionOptions(url),
    rowsAsArray: false,
    bigNumberStrings: false,
    decimalNumbers: true,
    connectAttributes: { program_name: 'engine-service' },
  }
  const pool = createSessionPool<ServiceSession>({
    max: most,
    acquireTimeoutMs: serviceWaitMs,
    open: () => openServiceSession(options),
    log,
  })
  return {
    kind: 'mysql',
    isShared: true,
    acquire: async () => {
      const session = await pool.acquire(undefined)
      return { ...session, release: () => pool.release(session) }
    },
    close: () => pool.close(),
  }
}
