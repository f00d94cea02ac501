/** @module For applications: an engine over their databases, its configuration, permissions, actions and answers. */

// An engine and the databases behind it.

export type { DatabaseKind } from '@engine/contract'
export type { AdapterPackage, Adapters } from '../adapter.ts'
export { createEngine, type DatabaseOptions, type Engine, type EngineOptions } from '../engine.ts'
export type { EngineDatabase } from '../engine-database/engine-database.ts'

// What an engine is asked, and what it answers.

export type { ActionRequest } from '../actions/call-action.ts'
export type { ExplainOptions, ExplainRequest } from '../explain/explain.ts'
export type { StatementExplanation } from '../explain/explanation.ts'
export type { BatchRequest } from '../run-batch.ts'
export type { QueryAnswer, QueryRequest } from '../run-query.ts'
export type { SchemaDescription } from '../schema/describe-schema.ts'
export type { SimulateOptions, Simulation } from '../simulate.ts'

// Who asks.

export { admin, anonymous, type Caller, type CallerFields } from '../caller.ts'

// The configuration.

export type {
  AuthConfig,
  EmailConfig,
  IssuerConfig,
  MailFacts,
  MailKind,
  MailTemplate,
  ResolvedSession,
  ResolvedUser,
  ResolveSession,
} from '../config/auth-config.ts'
export type { Config, DirectoryConnection, DirectoryTable } from '../config/config.ts'
export type { PgWireConfig, PgWireOptions, PgWireStrategy } from '../config/operations-config.ts'

// Permissions.

export type {
  Filter,
  FilterCondition,
  FilterOperands,
  FilterOperatorName,
  FilterValue,
} from '../permissions/filter.ts'
export { definePermission, type Permission } from '../permissions/permission.ts'

// Actions.

export { type ActionContext, type ActionDefinition, defineAction } from '../actions/action.ts'

// Errors and logs.

export { consoleLog } from '../console-log.ts'
export { GatewayError, type Problem } from '../errors.ts'
export { type Log, silentLog } from '../log.ts'

// Stages and events, for metrics and audit.

export type { Audit, AuditEvent } from '../audit/audit-event.ts'
export type { Observe, StageEvent, StatementStage } from '../observe.ts'

// Rate limits.

export { createMemoryRateLimiter } from '../limits/memory-rate-limiter.ts'
export type { RateDecision, RateLimit, RateLimiter } from '../limits/rate-limiter.ts'

// The PostgreSQL wire protocol.

export type { PgWireServer } from '../pg-wire-server.ts'
export type { StartPgWireOptions } from '../start-pg-wire.ts'
