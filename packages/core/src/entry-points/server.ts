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

// The audit log.

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
export type { AuditReader } from '../service/audit/audit-reader.ts'
export { type AuditLog, type AuditOptions, createAudit } from '../service/audit/create-audit.ts'
export { type ExportFormat, exportFormats } from '../service/audit/export-text.ts'
export { openAuditReader } from '../service/audit/open-audit-reader.ts'
export { auditSecret } from '../service/audit/redaction/redaction-for.ts'

// Configurations in the service database.

export {
  type ConfigurationStore,
  openConfigurationStore,
  type Revision,
} from '../service/configuration/configuration-store.ts'
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
export { shownActions, shownOptions } from '../service/configuration/shown-options.ts'

// Rate limits and limits of requests.

export { addressKey, canonicalAddress } from '../foundation/address-key.ts'
export { createRateLimiter } from '../service/limits/create-rate-limiter.ts'
export type { SharedRateLimiter } from '../service/limits/leased-rate-limiter.ts'
export {
  createRequestLimits,
  type RequestLimits,
  tooManyRequests,
} from '../service/limits/request-limits.ts'

// Explanations in parts.

export { diffMatrices, type MatrixChange } from '../runtime/explain/matrix-diff.ts'
export { permissionMatrix } from '../runtime/explain/permission-matrix.ts'

// Errors and small tools.

export { abortable } from '../foundation/abortable.ts'
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
