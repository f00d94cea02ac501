/** @module Serves an engine over HTTP, as one Fetch handler. Start at `createApp`. */

export type {
  FoundSchema,
  GuessedRule,
  RefusedConfiguration,
  RulesGuess,
  RulesScope,
} from '@engine/contract/admin-api'
export { isLoopback } from './administrators/admin-links.ts'
export { adminSessionMigrations } from './administrators/admin-sessions.ts'
export { type Authenticate, createAuthenticator } from './admission/authenticate.ts'
export { requireLongSecrets } from './admission/require-long-secrets.ts'
export { type AppOptions, createApp, type EngineApp } from './app.ts'
export { createGateway } from './gateway/gateway.ts'
export type { Gateway, GatewayOptions } from './gateway/gateway-interface.ts'
export { needsStore } from './gateway/needs-store.ts'
export type { ProcessState, Siblings, WorkerSession, WorkerState } from './gateway/siblings.ts'
export type { ActivityReport } from './metrics/activity.ts'
export { addMetrics } from './metrics/add-metrics.ts'
export type { MetricsText, MetricValues } from './metrics/metrics.ts'
export { cancellationGraceMs } from './request/cancellation.ts'
export type { RemoteAddress } from './request/remote-address.ts'
export { type ErrorContext, toErrorResponse } from './response/error-response.ts'
export type { FindSchemas } from './routes/admin/found-schemas.ts'
export type { AskedScope, GuessRules } from './routes/admin/rules-guess.ts'
export type { ServedDemo } from './routes/admin/served-demo.ts'
export type { AdminSite } from './routes/admin/site-routes.ts'
