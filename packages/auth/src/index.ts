/** @module Accounts, sessions, tokens and API keys. */

export type {
  AdminSession,
  AdminUser,
  ApiKeyDescription,
  CreatedApiKey,
  FieldValue,
  Invitation,
  OutboxMail,
} from '@engine/contract/admin-api'
export { requireSignUp, signUpFaults, unfilledAtSignUp } from './accounts/user-table.ts'
export {
  type ApiKeyProvider,
  type ApiKeyProviderOptions,
  createApiKeyProvider,
} from './api-keys/api-key-provider.ts'
export type {
  ApiKeyInput,
  Auth,
  AuthAdmin,
  NewInvitation,
  RowCaller,
  SessionFilter,
} from './auth.ts'
export { createTokenProvider, type TokenProviderOptions } from './callers/token-provider.ts'
export { requireUserTable } from './callers/user-rows.ts'
export { type AuthOptions, createAuth } from './create-auth.ts'
export {
  type ImportCounts,
  type ImportLine,
  type ImportOptions,
  importUsers,
} from './import/import-users.ts'
export { fetchKeySet } from './issuers/fetch-key-set.ts'
export type { KeySet } from './issuers/key-set.ts'
export { verifyMailServer } from './mail/verify-mail-server.ts'
export { authMigrations } from './migrations/auth-migrations.ts'
export { openAuthProvider } from './open-auth-provider.ts'
export type { HashQueueStats } from './passwords/hash-queue.ts'
export { openAuthTables } from './store/auth-store.ts'
export { createStoreAdmin, type StoreAdmin, type StoreAdminOptions } from './store/store-admin.ts'
export { productionSecretFaults } from './tokens/production-secrets.ts'
