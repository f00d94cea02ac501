/** @module Accounts, sessions, tokens and API keys. */
export type {
  AdminSession,
  AdminUser,
  ApiKeyDescription,
  ApiKeyInput,
  Auth,
  AuthAdmin,
  CreatedApiKey,
  OutboxMail,
  SessionFilter,
} from './auth.ts'
export { createTokenProvider, type TokenProviderOptions } from './callers/token-provider.ts'
export { type AuthOptions, authMigrations, createAuth } from './create-auth.ts'
