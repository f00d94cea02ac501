export type { DatabaseKind } from '@engine/contract'
/** @module The query engine: SQL in, permitted rows out. */

export {
  type ActionContext,
  type ActionDefinition,
  defineAction,
} from './actions/action.ts'
export { mayRun } from './actions/action-rights.ts'
export type { ActionRequest } from './actions/call-action.ts'
export type {
  Adapter,
  AdapterFactory,
  AdapterPackage,
  Adapters,
  Cells,
  ConfiguredTypes,
  ConnectionOptions,
  Cursor,
  Execution,
  IsolationLevel,
  PlanLineOptions,
  PoolState,
  ResultSet,
  RowReceiver,
  RowShape,
  Session,
  TransactionOptions,
} from './adapter.ts'
export {
  type AuditEntry,
  type AuditKind,
  auditKinds,
} from './audit/audit-entry.ts'
export type {
  ActionEvent,
  AdminEvent,
  Audit,
  AuditEvent,
  AuditOrigin,
  AuthEvent,
  DenialEvent,
  QueryEvent,
  RequestOrigin,
} from './audit/audit-event.ts'
export type { AuditFilter, AuditReader, AuditSearch } from './audit/audit-reader.ts'
export { auditMigrations } from './audit/audit-tables.ts'
export { type Denied, originOf, recordDenial } from './audit/audited-engine.ts'
export {
  type AuditBounds,
  type AuditLog,
  type AuditOptions,
  type AuditStatus,
  createAudit,
} from './audit/create-audit.ts'
export { isEntryId } from './audit/entry-id.ts'
export { type ExportFormat, exportFormats } from './audit/export-text.ts'
export { openAuditReader } from './audit/open-audit-reader.ts'
export { auditSecret } from './audit/redaction/redaction-for.ts'
export type {
  Authenticated,
  AuthProvider,
  AuthProviderFactory,
  ClientInfo,
  OpenedProvider,
  OpenProviderOptions,
} from './auth-provider.ts'
export type {
  Assignment,
  BoundStatement,
  CommonTable,
  CteId,
  CteItem,
  DefaultCell,
  DeleteWrite,
  FromItem,
  FunctionItem,
  GroupBy,
  InsertSource,
  InsertWrite,
  JoinItem,
  Limit,
  Locking,
  OnConflict,
  OutputColumn,
  Query,
  RelationId,
  Returning,
  SelectQuery,
  SetQuery,
  SortKey,
  SubqueryItem,
  TableItem,
  UpdateWrite,
  ValuesQuery,
  Write,
  WriteSecurity,
  WriteTarget,
} from './bind/bound-query.ts'
export type {
  Aggregate,
  ArrayConstructor,
  ArraySection,
  ArraySubquery,
  BooleanTest,
  CallerValue,
  Case,
  Cast,
  Coalesce,
  Collate,
  ColumnReference,
  ComparisonName,
  Constant,
  DistinctTest,
  Exists,
  Expression,
  Extremum,
  FrameBound,
  FunctionCall,
  Grouping,
  InList,
  Logical,
  Not,
  NullIf,
  NullTest,
  OldCondition,
  OperatorCall,
  OutputReference,
  Parameter,
  QuantifiedArray,
  QuantifiedSubquery,
  RequestTime,
  Row,
  RowComparison,
  ScalarSubquery,
  Subscript,
  SubscriptStep,
  WholeRow,
  WindowCall,
  WindowFrame,
} from './bind/expression.ts'
export { type ExpressionParts, partsOf } from './bind/expression-parts.ts'
export {
  isWrite,
  mapExpression,
  mapFromItem,
  mapQuery,
  mapStatement,
  mapWrite,
  type Rewriter,
} from './bind/map-query.ts'
export { sameExpression } from './bind/same-expression.ts'
export type { SecuredTable } from './bind/secured-table.ts'
export {
  freeRelations,
  freeRelationsOf,
  type Visitor,
  visitExpression,
  visitFromItem,
  visitQuery,
  visitStatement,
  visitWrite,
} from './bind/visit-query.ts'
export { isVolatile, isVolatileQuery, mayOutlastItself } from './bind/volatility.ts'
export { admin, anonymous, type Caller, type CallerFields } from './caller.ts'
export type {
  Catalog,
  Check,
  Column,
  Connection,
  ForeignKey,
  Index,
  IndexOrder,
  ReferentialAction,
  Relationship,
  RelationshipType,
  Table,
} from './catalog/catalog.ts'
export {
  type DatabaseTraits,
  type KnownTraits,
  knownTraits,
  type PlanFormat,
} from './catalog/database-traits.ts'
export type {
  ColumnTypeFault,
  IntrospectedColumn,
  IntrospectedTable,
  Introspection,
} from './catalog/introspection.ts'
export { isSelected, type TableSelection } from './catalog/table-selection.ts'
export { triggerColumns } from './catalog/trigger-columns.ts'
export type {
  ClientSession,
  ColumnOrigin,
  DescribedColumn,
  OpenExecution,
  SessionCursor,
  SessionExecution,
  SessionReceiver,
  SessionResult,
  SessionStatement,
  SessionTimeZone,
  SessionTransaction,
  StatementDescription,
} from './client-session/client-session.ts'
export type {
  VisibleCatalog,
  VisibleCheck,
  VisibleColumn,
  VisibleConnection,
  VisibleForeignKey,
  VisibleIndex,
  VisibleTable,
} from './client-session/visible-catalog.ts'
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
} from './config/auth-config.ts'
export type {
  AuthSettings,
  IssuerSettings,
  JwtSettings,
  Rate,
  ThrottleSettings,
  UserTableSettings,
} from './config/auth-settings.ts'
export type { Config, DirectoryConnection, DirectoryTable } from './config/config.ts'
export { addressList } from './config/config-values.ts'
export { configurationOptions } from './config/configuration-options.ts'
export {
  type ConnectionSource,
  connectionSource,
  serviceDatabaseSource,
} from './config/connection-source.ts'
export { type JsonShape, jsonShape } from './config/json-shape.ts'
export { isOpenMode, openModeWarning, requireClosed } from './config/open-mode.ts'
export type { PgWireConfig, PgWireOptions, PgWireStrategy } from './config/operations-config.ts'
export type {
  AuditSettings,
  PgWireSettings,
  SchemaEndpointSettings,
  SecuritySettings,
} from './config/operations-settings.ts'
export { invalidConfiguration, parseConfig } from './config/parse-config.ts'
export { certificateFaults, isLoopback } from './config/parse-pg-wire.ts'
export { isSecretName, redactConfig } from './config/redact-config.ts'
export type { ConnectionSettings, Limits, Settings } from './config/settings.ts'
export { shortSecrets } from './config/short-secrets.ts'
export { parseDuration } from './config/units.ts'
export { consoleLog } from './console-log.ts'
export { createEngine, type DatabaseOptions, type Engine, type EngineOptions } from './engine.ts'
export type { EngineDatabase } from './engine-database/engine-database.ts'
export {
  changedError,
  type DatabaseReport,
  type ErrorChanges,
  GatewayError,
  type GatewayErrorOptions,
  type Problem,
  type ToldFacts,
  type Violation,
} from './errors.ts'

export { abortable } from './execute/abortable.ts'
export {
  cancelled,
  checkFailed,
  connectionLost,
  isConnectionLost,
  misfit,
  noAnswer,
  unreachableDatabase,
} from './execute/adapter-errors.ts'
export {
  createArrayEncoder,
  createObjectEncoder,
  type EncodedColumn,
  type RowEncoder,
} from './execute/encode-row.ts'
export { type Explanation, explainSqlState, isAboutStatement } from './execute/explain-sql-state.ts'
export { beginLate, isReadCommitted, type LateCommands } from './execute/late-transaction.ts'
export { retryReads } from './execute/retry-reads.ts'
export { runTransaction, type TransactionCommands } from './execute/transaction-body.ts'
export type { ExplainOptions, ExplainRequest } from './explain/explain.ts'
export type {
  AnswerExplanation,
  CallerExplanation,
  CallerFieldExplanation,
  LimitsExplanation,
  Measured,
  PermissionBlock,
  PermissionVerdict,
  Refusal,
  SentParameter,
  SentStatement,
  Stage,
  StatementExplanation,
  TableExplanation,
  VirtualTableExplanation,
  WriteExplanation,
} from './explain/explanation.ts'
export { diffMatrices, type MatrixChange } from './explain/matrix-diff.ts'
export {
  type MatrixEntry,
  type MatrixGrant,
  type PermissionMatrix,
  permissionMatrix,
} from './explain/permission-matrix.ts'
export { isProductionMode } from './is-production.ts'
export { addressKey, canonicalAddress } from './limits/address-key.ts'
export type { Load } from './limits/concurrency.ts'
export { createRateLimiter, type RateLimiterOptions } from './limits/create-rate-limiter.ts'
export {
  createMemoryRateLimiter,
  type MemoryRateLimiter,
  type MemoryRateLimiterOptions,
} from './limits/memory-rate-limiter.ts'
export type { RateDecision, RateLimit, RateLimiter } from './limits/rate-limiter.ts'
export {
  createRequestLimits,
  type RequestLimits,
  tooManyRequests,
} from './limits/request-limits.ts'
export {
  createStoreRateLimiter,
  rateLimitMigrations,
  type StoreRateLimiter,
  type StoreRateLimiterOptions,
} from './limits/store-rate-limiter.ts'
export { type Log, silentLog } from './log.ts'
export type { Observe, StageEvent, StatementStage } from './observe.ts'
export type { AuthorizedStatement } from './permissions/authorized.ts'
export type { Fault } from './permissions/faults.ts'
export type {
  Filter,
  FilterCondition,
  FilterOperands,
  FilterOperatorName,
  FilterValue,
} from './permissions/filter.ts'
export { definePermission, type Permission } from './permissions/permission.ts'
export type {
  OpenSessionOptions,
  PgWireCertificate,
  PgWireLoad,
  PgWireRefusal,
  PgWireServer,
  PgWireServerFactory,
  PgWireServerOptions,
} from './pg-wire-server.ts'
export { explainingStep } from './plan/explaining-step.ts'
export type { CompiledStatement, Operation, PlanStep, ResultColumn } from './plan/plan.ts'
export { type ForeignColumn, foreignColumns, withKept } from './print/foreign-columns.ts'
export { literalDefault } from './print/literal-default.ts'
export { markVolatile } from './print/mark-volatile.ts'
export { isModest, type ModestFacts } from './print/modest.ts'
export { columnName, cteName, relationName } from './print/names.ts'
export {
  boundToLevel,
  clauses,
  commaList,
  copiedByDatabase,
  deferred,
  identifier,
  integer,
  joinSql,
  keyword,
  memberName,
  type NameQuote,
  operatorSymbol,
  ownLevel,
  type PlaceholderStyle,
  parameter,
  qualifiedName,
  type RenderedSql,
  renderSql,
  rewriteSql,
  type Sql,
  sql,
} from './print/sql-writer.ts'
export {
  classOf,
  isFloat,
  isInteger,
  lengthOfType,
  scaleOfType,
  type TypeClass,
} from './print/type-class.ts'
export { unsupportedConstruct } from './print/unsupported.ts'
export { hasSubquery, readsTable, refersToItself } from './print/written-table.ts'
export { reasonOf } from './reason-of.ts'
export type { BatchRequest } from './run-batch.ts'
export type { QueryAnswer, QueryRequest } from './run-query.ts'
export type { SchemaDescription } from './schema/describe-schema.ts'
export { secretMatcher } from './secret-matcher.ts'
export type { SimulateOptions, Simulation, SimulationStep } from './simulate.ts'
export { acceptedNodes, type FieldRule, type NodeRule } from './sql/accepted-nodes.ts'
export { parseScript, type ScriptStatement } from './sql/parse-script.ts'
export { loadParser } from './sql/parser-module.ts'
export { forEachToken, type TokenHandler, type TokenKind } from './sql/tokens.ts'
export {
  builtinCasts,
  builtinFunctions,
  builtinOperators,
  builtinTypes,
} from './sql-types/builtin-catalog.ts'
export { parseArrayLiteral } from './sql-types/input/array-literal.ts'
export type { ArrayShape } from './sql-types/input/array-shape.ts'
export { arrayText } from './sql-types/input/array-text.ts'
export {
  dateOfDay,
  dateText,
  dayNumber,
  eraText,
  offsetText,
  timeText,
} from './sql-types/input/calendar.ts'
export {
  type DateFields,
  type DateTimeFields,
  parseDateTime,
} from './sql-types/input/date-fields.ts'
export { floatText } from './sql-types/input/float-text.ts'
export { parseInterval } from './sql-types/input/interval-parts.ts'
export { type IntervalParts, intervalText } from './sql-types/input/interval-text.ts'
export { oids } from './sql-types/oids.ts'
export type {
  Oid,
  PgCast,
  PgFunction,
  PgFunctionColumn,
  PgOperator,
  PgType,
  PgTypeKind,
} from './sql-types/pg-type.ts'
export type { SqlType } from './sql-types/sql-type.ts'
export { createTypeSystem, type TypeSystem } from './sql-types/type-system.ts'
export type { TypeSystemExtra } from './sql-types/type-system-extra.ts'
export {
  encodeTypmod,
  fractionDigitsOfTypmod,
  intervalFieldsOfTypmod,
  lengthOfTypmod,
  noTypmod,
  numericOfTypmod,
} from './sql-types/typmod.ts'
export type { ScalarWireKind, WireKind } from './sql-types/wire-kind.ts'
export type { StartPgWireOptions } from './start-pg-wire.ts'
export { type ColumnTypes, columnTypes } from './store/column-types.ts'
export { createIndex, type IndexDefinition } from './store/create-index.ts'
export { type OpenStoreOptions, openStore } from './store/open-store.ts'
export {
  type ServiceConnection,
  type ServiceDatabase,
  type ServiceDatabaseFactory,
  type ServiceDatabaseOptions,
  type ServiceResult,
  type StoreValue,
  serviceStatementTimeoutMs,
  serviceWaitMs,
} from './store/service-database.ts'
export type { Migration, Store, StoreKind } from './store/store.ts'
export { isUniqueViolation } from './store/store-error.ts'
export { unreachable } from './unreachable.ts'
export type { CallerSlot, SqlValue, ValueSource } from './value-source.ts'
