import type { PgWireServerFactory } from '@engine/core/session'

/** Uses a free port where the configured one is in use: the demo starts next to any other program. */
export function onAnyPort(create: PgWireServerFactory): PgWireServerFactory {
  return async (options) => {
    try {
      return await create(options)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
      const pgWire = { ...options.settings.pgWire, port: 0 }
      return create({ ...options, settings: { ...options.settings, pgWire } })
    }
  }
}
