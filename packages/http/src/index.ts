/** @module Serves an engine over HTTP, as one Fetch handler. Start at `createApp`. */

export type {
  FoundSchema,
  GuessedRule,
  RefusedConfiguration,
  RulesGuess,
  RulesScope,
} from '@engine/contract/admin-api'
export type { ActivityReport } from './activity.ts'
export { addMetrics } from './add-metrics.ts'
export { isLoopback } from './admin-links.ts'
export { adminSessionMigrations } from './admin-sessions.ts'
export { type AppOptions, createApp, type EngineApp } from './app.ts'
export { type Authenticate, createAuthenticator } from './authenticate.ts'
export { cancellationGraceMs } from './cancellation.ts'
export { type ErrorContext, toErrorResponse } from './error-response.ts'
export { createGateway } from './gateway.ts'
export type { Gateway, GatewayOptions } from './gateway-interface.ts'
export type { MetricsText, MetricValues } from './metrics.ts'
export { needsStore } from './needs-store.ts'
export type { RemoteAddress } from './remote-address.ts'
export { requireLongSecrets } from './require-long-secrets.ts'
export type { FindSchemas } from './routes/admin/found-schemas.ts'
export type { AskedScope, GuessRules } from './routes/admin/rules-guess.ts'
export type { AdminSite } from './routes/admin/site-routes.ts'
export type { ProcessState, Siblings, WorkerSession, WorkerState } from './siblings.ts'
