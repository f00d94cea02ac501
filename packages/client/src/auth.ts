/** @module Accounts, and the session of the signed-in user. Start at `createAuth`. */
export { type AuthStorage, memoryStorage } from './auth/auth-storage.ts'
export { type BrowserStorageOptions, browserStorage } from './auth/browser-storage.ts'
export {
  type AuthOptions,
  type Credentials,
  createAuth,
  type EngineAuth,
  type InvitationAnswer,
  type InvitedUser,
  type SignUpInput,
} from './auth/create-auth.ts'
export { type AddressBar, takeLinkToken } from './auth/link-token.ts'
export type { AuthEvent, AuthListener } from './auth/session-state.ts'
export type { SignedIn } from './auth/signed-in.ts'
