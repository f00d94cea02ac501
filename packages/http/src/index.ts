/** @module Serves an engine over HTTP, as one Fetch handler. Start at `createApp`. */

export { addMetrics } from './add-metrics.ts'
export { adminSessionMigrations } from './admin-sessions.ts'
export { type AppOptions, createApp, type EngineApp } from './app.ts'
export { type Authenticate, createAuthenticator } from './authenticate.ts'
export { cancellationGraceMs } from './cancellation.ts'
export { type ErrorContext, toErrorResponse } from './error-response.ts'
export { createGateway, type Gateway, type GatewayOptions, needsStore } from './gateway.ts'
export type { MetricsText, MetricValues } from './metrics.ts'
export type { RemoteAddress } from './remote-address.ts'
export { requireLongSecrets } from './require-long-secrets.ts'
export type { AdminSite } from './routes/admin/site-routes.ts'
export type { ProcessState, Siblings, WorkerState } from './siblings.ts'
