/** @module For applications: an engine over their databases, its configuration, permissions, actions and answers. */

// An engine and its databases.

export type { DatabaseKind } from '@engine/contract'
export { createEngine } from '../engine/engine.ts'
export type {
  DatabaseOptions,
  Engine,
  EngineOptions,
} from '../engine/engine-interface.ts'
export type { AdapterPackage, Adapters } from '../runtime/adapter/adapter.ts'
export type { EngineDatabase } from '../runtime/engine-database/engine-database.ts'

// Requests to an engine, and its answers.

export type { StatementExplanation } from '@engine/contract/admin-api'
export type { ExplainOptions, ExplainRequest } from '../runtime/explain/explain.ts'
export type { SimulateOptions, Simulation } from '../runtime/explain/simulate.ts'
export type { BatchRequest } from '../runtime/query/run-batch.ts'
export type { QueryAnswer, QueryRequest } from '../runtime/query/run-query.ts'
export type { SchemaDescription } from '../runtime/schema/describe-schema.ts'
export type { ActionRequest } from '../service/actions/call-action.ts'

// The caller.

export { admin, anonymous, type Caller, type CallerFields } from '../foundation/caller.ts'

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
} from '../config/options/auth-config.ts'
export type { Config, ConnectionObject, DirectoryConnection } from '../config/options/config.ts'
export { defineConfig, type TypedConfig } from '../config/options/define-config.ts'
export type {
  PgWireConfig,
  PgWireOptions,
  PgWireStrategy,
} from '../config/options/operations-config.ts'

// Permissions.

export type { FilterOperatorName } from '@engine/contract'
export type {
  Filter,
  FilterCondition,
  FilterOperands,
  FilterValue,
} from '../compiler/permissions/filter/filter.ts'
export type {
  RelationShape,
  SchemaShape,
  TableFilter,
  TableShape,
} from '../compiler/permissions/filter/typed-filter.ts'
export {
  definePermission,
  definePermissions,
  type PermissionFor,
  type TablePermission,
} from '../compiler/permissions/permission/define-permissions.ts'
export type { Permission } from '../compiler/permissions/permission/permission.ts'

// Actions.

export {
  type ActionContext,
  type ActionDefinition,
  defineAction,
} from '../config/options/action.ts'
export type {
  ActionAccounts,
  ActionInvitation,
  ActionInvitationInput,
} from '../config/options/action-accounts.ts'

// Errors and logs.

export { consoleLog } from '../foundation/console-log.ts'
export { GatewayError, type Problem } from '../foundation/errors.ts'
export { type Log, silentLog } from '../foundation/log.ts'

// Stages and events, for metrics and audit.

export type { Audit, AuditEvent } from '../foundation/audit-event.ts'
export type { Observe, StageEvent, StatementStage } from '../runtime/observe/observe.ts'

// Rate limits.

export type { RateDecision, RateLimit, RateLimiter } from '../foundation/rate-limiter.ts'
export { createMemoryRateLimiter } from '../service/limits/memory-rate-limiter.ts'

// The PostgreSQL wire protocol.

export type { PgWireServer } from '../engine/pg-wire-server.ts'
export type { StartPgWireOptions } from '../engine/start-pg-wire.ts'
