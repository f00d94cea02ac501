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
