/** @module For servers in front of an engine: HTTP, the wire protocol, accounts, command lines. */

// The checked configuration.

export type { DescribedOption } from '../config/describe/describe-options.ts'
export { isSecretName, redactConfig } from '../config/describe/redact-config.ts'
export { moduleProblem, shapeProblem } from '../config/options/config-shape.ts'
export { addressList } from '../config/parse/config-values.ts'
export {
  configurationOptions,
  describeConfiguration,
} from '../config/parse/configuration-options.ts'
export { serviceDatabaseSource } from '../config/parse/connection-source.ts'
export { type JsonShape, jsonShape } from '../config/parse/json-shape.ts'
export { isOpenMode, openModeWarning, requireClosed } from '../config/parse/open-mode.ts'
export { invalidConfiguration, parseConfig } from '../config/parse/parse-config.ts'
export { isLoopback } from '../config/parse/parse-pg-wire.ts'
export { shortSecrets } from '../config/parse/short-secrets.ts'
export { parseDuration } from '../config/parse/units.ts'
export type {
  AuthSettings,
  IssuerSettings,
  JwtSettings,
  Rate,
  ThrottleSettings,
  UserTableSettings,
} from '../config/settings/auth-settings.ts'
export type {
  AuditSettings,
  PgWireSettings,
  SecuritySettings,
} from '../config/settings/operations-settings.ts'
export type { ConnectionSettings, Settings } from '../config/settings/settings.ts'
export { type Fault, suggestion } from '../foundation/faults.ts'
export { isProductionMode } from '../foundation/is-production.ts'
export { createTimeIds, isEntryId } from '../foundation/time-ids.ts'

// An engine whose configuration is replaced.

export type { LoadAdapter, LoadedAdapter } from '../engine/adapter-factories.ts'
export type {
  DraftEngine,
  EngineGeneration,
  ReconfigureOptions,
} from '../engine/engine-interface.ts'

// The catalog.

export type {
  Catalog,
  Column,
  Connection,
  IndexKey,
  IndexOrder,
  Table,
} from '../compiler/catalog/catalog.ts'

// Sign-in.

export type { OpenActionAccounts } from '../config/options/action-accounts.ts'
export type {
  Authenticated,
  AuthProvider,
  ClientInfo,
  CredentialOwner,
  Expected,
  Impersonated,
} from '../config/options/auth-provider.ts'
export type { AuthProviderFactory } from '../engine/open-auth-provider.ts'

// The service database.

export { columnTypes } from '../service/store/column-types.ts'
export { createIndex } from '../service/store/create-index.ts'
export { loadServiceDatabase } from '../service/store/load-service-database.ts'
export { type OpenStoreOptions, openStore } from '../service/store/open-store.ts'
export { type ServerFacts, serverFacts } from '../service/store/server-facts.ts'
export type {
  ServiceConnection,
  ServiceDatabase,
  ServiceDatabaseFactory,
} from '../service/store/service-database.ts'
export type { CountedTable, Migration, Store, StoreKind } from '../service/store/store.ts'
export { isUniqueViolation } from '../service/store/store-error.ts'

// The audit log.

export type { AuditEntry } from '@engine/contract/admin-api'
export {
  type AuditOrigin,
  type AuthEvent,
  callerName,
  type ImpersonatedCaller,
  type QueryEvent,
  type RequestOrigin,
  recordedCaller,
  userIdOf,
} from '../foundation/audit-event.ts'
export { originOf, recordDenial } from '../runtime/query/audited-statements.ts'
export { auditKinds } from '../service/audit/audit-entry.ts'
export type { AuditFilter } from '../service/audit/audit-filter.ts'
export { auditMigrations } from '../service/audit/audit-migrations.ts'
export type { AuditReader } from '../service/audit/audit-reader.ts'
export { type AuditLog, type AuditOptions, createAudit } from '../service/audit/create-audit.ts'
export { type ExportFormat, exportFormats } from '../service/audit/export-text.ts'
export { openAuditReader } from '../service/audit/open-audit-reader.ts'
export { auditSecret } from '../service/audit/redaction/redaction-for.ts'
export { changeCounterMigrations } from '../service/store/change-counter.ts'
export { installedTriggersSql } from '../service/store/change-triggers.ts'

// Configurations in the service database.

export type {
  RevisionSummary,
  ShownAction,
  ShownChange,
  ShownOption,
} from '@engine/contract/admin-api'
export {
  type ConfigurationStore,
  openConfigurationStore,
  type Revision,
} from '../service/configuration/configuration-store.ts'
export { configurationMigrations } from '../service/configuration/configuration-tables.ts'
export {
  type ConfigurationDocument,
  type DocumentPart,
  documentFaults,
  documentOf,
  documentParts,
  orderedDocument,
  withDocument,
} from '../service/configuration/document.ts'
export {
  changesBetween,
  shownChanges,
  withoutChanges,
} from '../service/configuration/document-diff.ts'
export { maskSecrets, restoreSecrets } from '../service/configuration/document-secrets.ts'
export { newestOrImported } from '../service/configuration/import-configuration.ts'
export { patchDocument } from '../service/configuration/patch-document.ts'
export {
  shownActions,
  shownOptions,
} from '../service/configuration/shown-options.ts'

// Rate limits and limits of requests.

export { addressKey, canonicalAddress } from '../foundation/address-key.ts'
export { createRateLimiter } from '../service/limits/create-rate-limiter.ts'
export type { SharedRateLimiter } from '../service/limits/leased-rate-limiter.ts'
export {
  createRequestLimits,
  type RequestLimits,
  tooManyRequests,
} from '../service/limits/request-limits.ts'
export {
  createStoreRateLimiter,
  rateLimitMigrations,
  type StoreRateLimiter,
  type StoreRateLimiterOptions,
} from '../service/limits/store-rate-limiter.ts'

// Sessions of clients, for the wire protocol.

export { typeContains } from '../compiler/bind/styled-operation.ts'
export type { CursorReference } from '../compiler/bind/tree/current-row.ts'
export type { CursorRows, RowPlace } from '../compiler/bind/tree/cursor-rows.ts'
export type { SessionStyles, SessionTimeZone } from '../compiler/bind/tree/session-time-zone.ts'
export { type SleepFunction, sleepsElsewhere } from '../compiler/sql/sleep-call.ts'
export type {
  Cells,
  IsolationLevel,
  PoolState,
} from '../runtime/adapter/adapter.ts'
export type {
  ChannelAddress,
  ClientSession,
  RowOverflow,
  SessionCursor,
  SessionStatement,
} from '../runtime/client-session/client-session.ts'
export type {
  VisibleCatalog,
  VisibleColumn,
  VisibleConnection,
  VisibleForeignKey,
  VisibleIndex,
  VisibleTable,
} from '../runtime/client-session/visible-catalog.ts'
export { type ClientTableName, visibleTable } from '../runtime/client-session/visible-table.ts'
export { sleepSeconds } from '../runtime/execute/sleep.ts'
export { tooManyRows } from '../runtime/guard/row-overflow.ts'
export type {
  DescribedColumn,
  StatementDescription,
} from '../runtime/prepare/statement-description.ts'
export type { CurrentRowOf, RowPlaceTexts } from '../runtime/query/current-rows.ts'

// The parts that the wire protocol needs, and its interface.

export type {
  PgWireCertificate,
  PgWireLoad,
  PgWireRefusal,
  PgWireServerFactory,
  PgWireServerOptions,
  PgWireSession,
  PgWireSiblings,
  PgWireSignal,
} from '../engine/pg-wire-server.ts'

// Explanations in parts.

export type {
  CallerExplanation,
  LimitsExplanation,
  MatrixEntry,
  MatrixGrant,
  Measured,
  PermissionBlock,
  PermissionMatrix,
  PermissionVerdict,
  Refusal,
  SentParameter,
  SentStatement,
  TableExplanation,
} from '@engine/contract/admin-api'
export { diffMatrices, type MatrixChange } from '../runtime/explain/matrix-diff.ts'
export { permissionMatrix } from '../runtime/explain/permission-matrix.ts'

// Errors and small tools.

export { abortable } from '../foundation/abortable.ts'
export { cancelled } from '../foundation/adapter-errors.ts'
export {
  type CloseListenerOptions,
  closeListener,
  type Listener,
  shortTurn,
} from '../foundation/close-listener.ts'
export {
  changedError,
  type GatewayErrorOptions,
  problemTable,
  type ReportedFacts,
} from '../foundation/errors.ts'
export { createLiveList, type LiveEntry, type LiveList } from '../foundation/live-list.ts'
export { reasonOf } from '../foundation/reason-of.ts'
export { requireRelease } from '../foundation/release.ts'
export { boxSecrets, createSecretBox, type SecretBox } from '../foundation/secret-box.ts'
export { secretMatcher } from '../foundation/secret-matcher.ts'
export { shareReadings } from '../foundation/shared-reading.ts'
export { unreachable } from '../foundation/unreachable.ts'
export { noAnswerWithin, withTimeout } from '../foundation/with-timeout.ts'
export { withinTime } from '../foundation/within-time.ts'

// Statements and types, for code that reads SQL before the engine does.

export type { PlanLineOptions } from '../compiler/plan/plan-options.ts'
export { acceptedNodes } from '../compiler/sql/accepted-nodes.ts'
export { loadParser } from '../compiler/sql/parser-module.ts'
export type { ScriptStatement } from '../compiler/sql/split-script.ts'
export { forEachToken } from '../compiler/sql/tokens.ts'
export type { PgType } from '../compiler/sql-types/pg-type.ts'
export { createTypeSystem, type TypeSystem } from '../compiler/sql-types/system/type-system.ts'
export { parseScript } from '../runtime/limits/parse-script.ts'
export { readExplainStatement } from '../runtime/query/explain-statement.ts'
