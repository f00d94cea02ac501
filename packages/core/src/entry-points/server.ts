/** @module For servers in front of an engine: HTTP, the wire protocol, accounts, command lines. */

// The checked configuration.

export type {
  AuthSettings,
  IssuerSettings,
  JwtSettings,
  Rate,
  ThrottleSettings,
  UserTableSettings,
} from '../config/auth-settings.ts'
export { addressList } from '../config/config-values.ts'
export { configurationOptions } from '../config/configuration-options.ts'
export { serviceDatabaseSource } from '../config/connection-source.ts'
export { type JsonShape, jsonShape } from '../config/json-shape.ts'
export { isOpenMode, openModeWarning, requireClosed } from '../config/open-mode.ts'
export type {
  AuditSettings,
  PgWireSettings,
  SecuritySettings,
} from '../config/operations-settings.ts'
export { invalidConfiguration, parseConfig } from '../config/parse-config.ts'
export { isLoopback } from '../config/parse-pg-wire.ts'
export { isSecretName, redactConfig } from '../config/redact-config.ts'
export type { ConnectionSettings, Settings } from '../config/settings.ts'
export { shortSecrets } from '../config/short-secrets.ts'
export { parseDuration } from '../config/units.ts'
export { isProductionMode } from '../is-production.ts'
export type { Fault } from '../permissions/faults.ts'

// The catalog.

export type { Catalog, Column, Connection, IndexOrder, Table } from '../catalog/catalog.ts'

// Sign-in.

export type { Authenticated, AuthProvider, ClientInfo } from '../auth-provider.ts'
export type { AuthProviderFactory } from '../open-auth-provider.ts'

// The service database.

export { columnTypes } from '../store/column-types.ts'
export { createIndex } from '../store/create-index.ts'
export { type OpenStoreOptions, openStore } from '../store/open-store.ts'
export type {
  ServiceConnection,
  ServiceDatabase,
  ServiceDatabaseFactory,
} from '../store/service-database.ts'
export type { Migration, Store, StoreKind } from '../store/store.ts'
export { isUniqueViolation } from '../store/store-error.ts'

// The audit log.

export { type AuditEntry, auditKinds } from '../audit/audit-entry.ts'
export type { AuditOrigin, AuthEvent, QueryEvent, RequestOrigin } from '../audit/audit-event.ts'
export type { AuditFilter, AuditReader } from '../audit/audit-reader.ts'
export { auditMigrations } from '../audit/audit-tables.ts'
export { originOf, recordDenial } from '../audit/audited-engine.ts'
export { type AuditLog, type AuditOptions, createAudit } from '../audit/create-audit.ts'
export { isEntryId } from '../audit/entry-id.ts'
export { type ExportFormat, exportFormats } from '../audit/export-text.ts'
export { openAuditReader } from '../audit/open-audit-reader.ts'
export { auditSecret } from '../audit/redaction/redaction-for.ts'

// Rate limits and limits of requests.

export { addressKey, canonicalAddress } from '../limits/address-key.ts'
export { createRateLimiter } from '../limits/create-rate-limiter.ts'
export {
  createRequestLimits,
  type RequestLimits,
  tooManyRequests,
} from '../limits/request-limits.ts'
export {
  createStoreRateLimiter,
  rateLimitMigrations,
  type StoreRateLimiter,
  type StoreRateLimiterOptions,
} from '../limits/store-rate-limiter.ts'

// Sessions of clients, for the wire protocol.

export type { Cells, IsolationLevel, PlanLineOptions, PoolState } from '../adapter.ts'
export type { SessionTimeZone } from '../bind/session-time-zone.ts'
export type {
  ClientSession,
  SessionCursor,
  SessionStatement,
} from '../client-session/client-session.ts'
export type {
  DescribedColumn,
  StatementDescription,
} from '../client-session/statement-description.ts'
export type {
  VisibleCatalog,
  VisibleColumn,
  VisibleConnection,
  VisibleForeignKey,
  VisibleTable,
} from '../client-session/visible-catalog.ts'

// What the wire protocol is given, and what it offers.

export type {
  PgWireCertificate,
  PgWireLoad,
  PgWireRefusal,
  PgWireServerFactory,
  PgWireServerOptions,
} from '../pg-wire-server.ts'

// Explanations in parts.

export type {
  CallerExplanation,
  LimitsExplanation,
  Measured,
  PermissionBlock,
  PermissionVerdict,
  Refusal,
  SentParameter,
  SentStatement,
  TableExplanation,
} from '../explain/explanation.ts'
export { diffMatrices, type MatrixChange } from '../explain/matrix-diff.ts'
export {
  type MatrixEntry,
  type MatrixGrant,
  type PermissionMatrix,
  permissionMatrix,
} from '../explain/permission-matrix.ts'

// Errors and small tools.

export { changedError, type GatewayErrorOptions, type ToldFacts } from '../errors.ts'
export { abortable } from '../execute/abortable.ts'
export { cancelled } from '../execute/adapter-errors.ts'
export { reasonOf } from '../reason-of.ts'
export { secretMatcher } from '../secret-matcher.ts'
export { unreachable } from '../unreachable.ts'

// Statements and types, for what reads SQL before the engine does.

export { parseScript } from '../parse-script.ts'
export { acceptedNodes } from '../sql/accepted-nodes.ts'
export { loadParser } from '../sql/parser-module.ts'
export type { ScriptStatement } from '../sql/split-script.ts'
export { forEachToken } from '../sql/tokens.ts'
export type { PgType } from '../sql-types/pg-type.ts'
export { createTypeSystem, type TypeSystem } from '../sql-types/type-system.ts'
