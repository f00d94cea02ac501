import type { Tracing } from './tracing.ts'

/** Where the API of OpenTelemetry keeps what an SDK registers, for all its copies in a process. */
const registrations: symbol = Symbol.for('opentelemetry.js.api.1')

/**
 * An SDK must be registered before this call, as `node --import ./telemetry.mjs` does. Without an SDK, the API is not
 * even loaded.
 */
export async function openTracing(): Promise<Tracing | undefined> {
  if (!(registrations in globalThis)) return undefined
  const { createTracing } = await import('./tracing.ts')
  return createTracing()
}
